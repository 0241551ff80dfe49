/// Merged effects are children of the task that runs them: it waits for them, and its cancel is theirs. Of
/// concatenated ones none begins any more once the task is cancelled.
struct HardenedEffects: EffectCombinators {
  func merge(_ effects: [DashboardEffect]) -> DashboardEffect {
    DashboardEffect { send in
      await withTaskGroup { group in
        for effect in effects {
          group.addTask {
            await effect.run(send)  // guard: structured-child => await Task { await effect.run(send) }.value
          }
        }
      }
    }
  }

  func concatenate(_ effects: [DashboardEffect]) -> DashboardEffect {
    DashboardEffect { send in
      for effect in effects {
        guard !Task.isCancelled else { return }
        await effect.run(send)
      }
    }
  }
}

// Not guards: looking for a cancel between two effects, since each looks itself; the group and the loop that run the effects, in which the guards stand.
