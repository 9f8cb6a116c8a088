enum PlaceholderArguments {}
