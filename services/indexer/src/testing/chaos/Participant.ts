/**
 * One chain, or one network, in the chaos of sources: an indexer with two sources, of which one lies. The other one is
 * honest, and is sometimes away. For tests only.
 */
export interface Participant {
  readonly name: string
  /** Names of the lies that the source can tell. */
  readonly lies: readonly string[]
  /**
   * Tells a lie, and extends the honest data meanwhile, until health or the log has named the lie or, for one that an
   * honest source could also send, until it was sent a few times. With `isAlone`, the honest source is away.
   * @throws Error if the lie is not named, or if the indexer has ended
   */
  turn(lie: string, isAlone: boolean): Promise<void>
  /**
   * Extends the honest data while both sources work and the liar goes on, and waits until they are indexed. Returns how the
   * stored data differ from those that are indexed from the honest source alone, and what the doctor has found.
   */
  settle(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Options of {@link run}. For tests only. */
export interface ChaosOptions {
  readonly participants: readonly Participant[]
  /** Returns random numbers, uniform in [0, 1). */
  readonly random: () => number
  /** Number of turns of each participant. */
  readonly turns: number
  /** Returns whether the run is over before all turns. */
  readonly isOver: () => boolean
}

/** How often each participant sent each lie. */
export type Told = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Share of the turns in which the honest source is away. */
const ALONE = 1 / 3

/** Lets all participants tell lies at the same time, in random order, and then compares their data. For tests only. */
export async function run(
  options: ChaosOptions,
): Promise<{ readonly told: Told; readonly findings: string[] }> {
  const told = new Map<string, Map<string, number>>()
  const findings = await Promise.all(options.participants.map((one) => runOne(one, options, told)))
  return { told, findings: findings.flat() }
}

async function runOne(
  participant: Participant,
  { random, turns, isOver }: ChaosOptions,
  told: Map<string, Map<string, number>>,
): Promise<readonly string[]> {
  const { name, lies } = participant
  const own = new Map<string, number>()
  told.set(name, own)
  let left: string[] = []
  for (let turn = 0; turn < turns && !isOver(); turn++) {
    if (left.length === 0) left = shuffled(lies, random)
    const lie = left.pop() as string
    await participant.turn(lie, random() < ALONE)
    own.set(lie, (own.get(lie) ?? 0) + 1)
  }
  return (await participant.settle()).map((finding) => `${name}: ${finding}`)
}

function shuffled(list: readonly string[], random: () => number): string[] {
  return list
    .map((value) => ({ value, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value)
}
