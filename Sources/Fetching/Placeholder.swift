enum PlaceholderFetching {}
