// Where labels stand in a star: as in a map, or else the answer is known to be no good.
#include <map>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"
#include "star_places.hpp"

namespace {

using namespace rlap;

// Labels of a star as they come: some already there, each once, then new ones in any number.
struct Stream {
    std::vector<Node> there, coming;
};

Stream random_stream(std::mt19937_64& random, Node labels, int most) {
    Stream stream;
    std::set<Node> seen;
    const auto draw = [&] { return static_cast<Node>(random() % static_cast<std::uint64_t>(labels)); };
    for (auto count = random() % most; count > 0; --count)
        if (const Node x = draw(); seen.insert(x).second) stream.there.push_back(x);
    for (auto count = random() % most; count > 0; --count) {
        const bool again = !stream.there.empty() && random() % 2;
        stream.coming.push_back(again ? stream.there[random() % stream.there.size()] : draw());
    }
    return stream;
}

template <class Places>
std::vector<Node> places_of(Places& places, const Stream& stream) {
    std::vector<Node> label = stream.there, place;
    auto size = static_cast<Node>(label.size());
    label.resize(label.size() + stream.coming.size() + 1, -1);
    places.begin();
    for (Node t = 0; t < size; ++t) places.put(label[t], t);
    for (const Node x : stream.coming) {
        place.push_back(places.find_or_add(x, label.data(), size));
        label[place.back()] = x;
        size += place.back() == size;
    }
    return place;
}

std::vector<Node> places_by_map(const Stream& stream) {
    std::map<Node, Node> at;
    std::vector<Node> place;
    for (const Node x : stream.there) at.emplace(x, static_cast<Node>(at.size()));
    for (const Node x : stream.coming) place.push_back(at.emplace(x, static_cast<Node>(at.size())).first->second);
    return place;
}

bool clashes(const Stream& stream) {
    std::map<std::size_t, Node> owner;
    bool two = false;
    for (const std::vector<Node>* part : {&stream.there, &stream.coming})
        for (const Node x : *part) two |= owner.emplace(x % PlacesInCache::kSlots, x).first->second != x;
    return two;
}

void every_label_has_its_place() {
    PlacesByLabel places;
    places.set(100'000);
    std::mt19937_64 random(1);
    for (int star = 0; star < 5000; ++star) {
        const Stream stream = random_stream(random, star % 2 ? 50 : 100'000, 100);
        CHECK(places_of(places, stream) == places_by_map(stream));
        CHECK(places.good());
    }
}

void few_slots_know_when_they_are_too_few() {
    PlacesInCache places;
    std::mt19937_64 random(2);
    int bad = 0;
    for (int star = 0; star < 5000; ++star) {
        const Stream stream = random_stream(random, star % 2 ? 50 : 1'000'000, 100);
        const std::vector<Node> place = places_of(places, stream);
        CHECK(places.good() == !clashes(stream));
        if (places.good()) CHECK(place == places_by_map(stream));
        bad += !places.good();
    }
    CHECK(bad > 50);  // or it would not have been tested
}

void labels_of_one_slot_clash_wherever_they_stand() {
    const auto slots = static_cast<Node>(PlacesInCache::kSlots);
    PlacesInCache places;
    places_of(places, {{3, 3 + slots}, {}});
    CHECK(!places.good());
    places_of(places, {{3, 4}, {4 + slots}});
    CHECK(!places.good());
    places_of(places, {{}, {5, 5 + slots}});
    CHECK(!places.good());
    places_of(places, {{3}, {5 + slots, 3, 5 + slots}});  // what earlier stars left does not count
    CHECK(places.good());
}

}  // namespace

int main() {
    every_label_has_its_place();
    few_slots_know_when_they_are_too_few();
    labels_of_one_slot_clash_wherever_they_stand();
    return check::result();
}
