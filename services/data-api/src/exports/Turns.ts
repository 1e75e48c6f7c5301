/** Runs tasks one after the other, so that they need the memory of one. */
export interface Turns {
  /**
   * Runs a task when it is its turn, and returns its result. Networks take turns, and callers within a network.
   * @param names names of the caller, the narrowest first
   */
  run<T>(names: readonly string[], task: () => Promise<T>): Promise<T>
}

interface Pending {
  readonly network: number
  readonly caller: number
  readonly run: () => Promise<void>
}

/** Creates turns. */
export function createTurns(): Turns {
  const pending: Pending[] = []
  const networks = createRounds()
  const callers = createRounds()
  let isRunning = false
  const next = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    for (let one = takeFirst(pending); one !== undefined; one = takeFirst(pending)) {
      networks.begin(one.network)
      callers.begin(one.caller)
      await one.run()
    }
    isRunning = false
  }
  return {
    run: (names, task) =>
      new Promise((resolve, reject) => {
        pending.push({
          network: networks.join(names.at(-1) ?? ''),
          caller: callers.join(names[0] ?? ''),
          run: () => task().then(resolve, reject),
        })
        void next()
      }),
  }
}

/** Removes and returns the task of the earliest round, the oldest of several. */
function takeFirst(pending: Pending[]): Pending | undefined {
  const isBefore = (one: Pending, other: Pending) =>
    one.network < other.network || (one.network === other.network && one.caller < other.caller)
  let first = 0
  for (const [at, one] of pending.entries()) {
    const best = pending[first]
    if (best !== undefined && isBefore(one, best)) first = at
  }
  return pending.splice(first, 1)[0]
}

/** Numbers of the rounds in which names take part: each name takes part once in each round, from the current one on. */
function createRounds() {
  let current = 0
  const last = new Map<string, number>()
  return {
    join(name: string): number {
      const round = Math.max(current, last.get(name) ?? 0) + 1
      last.set(name, round)
      return round
    },
    begin(round: number): void {
      if (round <= current) return
      current = round
      for (const [name, own] of last) if (own < current) last.delete(name)
    },
  }
}
