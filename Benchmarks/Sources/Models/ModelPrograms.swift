public import TwinPrograms

/// Models in the manner of apps, each with one bug that needs several things at once.
public enum ModelPrograms {
  /// Every program.
  public static let all: [TwinProgram] = [.notesSync, .gallery, .feed, .checkout, .sharedSession]
}
