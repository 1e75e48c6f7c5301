import { performance } from 'node:perf_hooks'

/**
 * Benchmarks by title. Each contains its contenders by name, and each contender is a function that runs one
 * round of the work. The first contender is the reference. A `*.bench.ts` file exports this type as
 * `benchmarks`.
 */
export type Benchmarks = Readonly<Record<string, Contenders>>
export type Contenders = Readonly<Record<string, () => unknown>>

/** Median times of one contender per round. */
export interface Result {
  readonly name: string
  /** Median wall-clock time in milliseconds. */
  readonly wall: number
  /** Median processor time of the process in milliseconds. */
  readonly cpu: number
  /** Median over all turns of the ratio of this contender's processor time to the first contender's. */
  readonly ratio: number
}

interface Sample {
  readonly wall: number
  readonly cpu: number
}

const TURNS = 15
/** Minimum duration of a turn in milliseconds, so that the clock resolution is negligible. */
const TURN_LENGTH = 40
const WARM_UP = 150

/**
 * Measures contenders in turns (A B C A B C …), so that noise affects all of them equally, and compares them
 * turn by turn.
 * @throws errors of a contender
 */
export async function run(contenders: Contenders): Promise<Result[]> {
  const entries = Object.entries(contenders)
  const rounds: number[] = []
  for (const [, work] of entries) rounds.push(await roundsPerTurn(work))
  const samples: Sample[][] = entries.map(() => [])
  const slowest = Math.max(...(await lastTurnLengths(entries, rounds)))
  const turns = slowest > 1000 ? 3 : TURNS
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, [, work]] of entries.entries()) samples[i]?.push(await sample(work, rounds[i] as number))
  }
  return entries.map(([name], i) => summarise(name, samples[i] as Sample[], samples[0] as Sample[]))
}

async function roundsPerTurn(work: () => unknown): Promise<number> {
  const start = performance.now()
  let rounds = 0
  while (performance.now() - start < WARM_UP) {
    await work()
    rounds += 1
  }
  const each = (performance.now() - start) / rounds
  return Math.max(1, Math.ceil(TURN_LENGTH / each))
}

async function lastTurnLengths(
  entries: readonly (readonly [string, () => unknown])[],
  rounds: readonly number[],
) {
  const lengths: number[] = []
  for (const [i, [, work]] of entries.entries()) {
    lengths.push((await sample(work, rounds[i] as number)).wall * (rounds[i] as number))
  }
  return lengths
}

async function sample(work: () => unknown, rounds: number): Promise<Sample> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  for (let i = 0; i < rounds; i++) {
    const pending = work()
    if (pending instanceof Promise) await pending
  }
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { wall: wall / rounds, cpu: (user + system) / 1000 / rounds }
}

function summarise(name: string, own: readonly Sample[], first: readonly Sample[]): Result {
  return {
    name,
    wall: median(own.map((turn) => turn.wall)),
    cpu: median(own.map((turn) => turn.cpu)),
    ratio: median(own.map((turn, i) => turn.cpu / (first[i] as Sample).cpu)),
  }
}

/** Returns the median. For an even count, returns the upper of the two middle values. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number
}
