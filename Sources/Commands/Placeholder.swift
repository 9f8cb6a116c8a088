public enum PlaceholderCommands {}
