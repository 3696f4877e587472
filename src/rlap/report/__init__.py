"""Reports: tables and figures of what experiments found."""
