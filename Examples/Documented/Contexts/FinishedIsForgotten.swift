@MainActor private final class Launcher {
  private var tasks: [Task<Void, Never>] = []

  // example
}
