// Calls that block in the kernel.

extension Exits {
  private static func blocks(_ name: String, _ ways: String, _ remedy: String) -> Row {
    escaping(
      name, ways, "it would block here, and the step ends: what could end the wait is not followed", remedy)
  }

  private static let toFile = "put a fake before the file or the socket"
  private static let toSocket = "put a fake before the socket"
  private static let toInput = "give the program its input by a parameter"
  private static let toLock = "put a fake before the file, or guard it by an actor"
  private static let toProcess = "put a fake before the process"
  private static let nothingThere = "C, where nothing is there to be read"

  static let blocking = [
    blocks("read", "`read`, `FileHandle.read`, where nothing is there to be read", toFile),
    blocks("readv", nothingThere, toFile),
    blocks("recv", nothingThere, toSocket),
    blocks("recvfrom", nothingThere, toSocket),
    blocks("recvmsg", nothingThere, toSocket),
    blocks("accept", "C, where nobody has connected", toSocket),
    blocks("accept4", "C, where nobody has connected", toSocket),
    blocks("eventfd_read", nothingThere, toFile),
    blocks("write", "`write`, `FileHandle.write`, where there is no room", toFile),
    blocks("writev", "C, where there is no room", toFile),
    blocks("send", "C, where there is no room", toSocket),
    blocks("connect", "C, where nobody answers at once", toSocket),
    blocks("fgets", nothingThere, toInput),
    blocks("fgetc", nothingThere, toInput),
    blocks("getc", nothingThere, toInput),
    blocks("fread", nothingThere, toInput),
    blocks("getline", "`readLine`, where nothing is there to be read", toInput),
    blocks("getdelim", nothingThere, toInput),
    blocks("flock", "C, where another has the file's lock", toLock),
    blocks("lockf", "C, where another process has the file's lock", toLock),
    blocks("fcntl", "C, where another has the file's lock", toLock),
    blocks("wait", "C, where no child has ended", toProcess),
    blocks("waitpid", "C, where the child has not ended", toProcess),
    blocks("wait4", "C, where the child has not ended", toProcess),
    blocks("waitid", "C, where the child has not ended", toProcess),
    waiting("clock_gettime", "`Date`, again and again in a step where steps are whole"),
    waiting("sched_yield", "C, again and again in a step where steps are whole"),
    waiting("thrd_yield", "C, again and again in a step where steps are whole"),
  ]
}
