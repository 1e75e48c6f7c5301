import { Against, createReference, Database, seeded } from '@firn/indexer'
import type { Terminal } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { systemClock } from '@firn/runtime'
import { CliError } from '../CliError.ts'

/** Options of `firn doctor --against`. */
export type Options = Database.Options & {
  readonly against: string
  readonly sampleAddresses: number
  readonly sampleHeights: number
  readonly sampleSubnets: number
  readonly seed?: number | undefined
}

const SEEDS = 1_000_000

/** Estimates the number of comparisons, for the progress bar. */
const expectedParts = ({ sampleAddresses, sampleHeights, sampleSubnets }: Options): number =>
  10 + (sampleHeights + 2) * (sampleSubnets + 1) + 4 * sampleAddresses

/** Compares a database with a node. Prints the differences, and throws `CLI_FINDINGS` if there are any. */
export const against = async (options: Options, terminal: Terminal): Promise<void> => {
  const seed = options.seed ?? Math.floor(Math.random() * SEEDS)
  const reference = createReference({ url: options.against, clock: systemClock, random: Math.random })
  const store = await Database.openStored({ ...options, attach: true }, terminal)
  let [done, text] = [0, '']
  const expected = expectedParts(options)
  const meter = Meter.start(terminal, 'comparing', () => ({ part: Math.min(0.99, done / expected), text }))
  try {
    const { findings, compared, skipped } = await Against.compare(
      {
        store,
        reference,
        clock: systemClock,
        random: seeded(seed),
        addresses: options.sampleAddresses,
        heights: options.sampleHeights,
        subnets: options.sampleSubnets,
        onProgress: (what) => {
          done += 1
          text = what
        },
      },
      terminal.signal,
    )
    meter.stop('compared')
    for (const reason of skipped) terminal.print(`not compared: ${reason}`)
    for (const { message } of findings) terminal.print(`wrong: ${message}`)
    terminal.print(
      `compared ${compared} responses of ${reference.name}; pass --seed ${seed} to repeat the same comparison`,
    )
    if (findings.length > 0)
      throw new CliError(
        'CLI_FINDINGS',
        `${findings.length} ${findings.length === 1 ? 'difference' : 'differences'} between the database and the node`,
      )
    terminal.print('no differences found')
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await store.close()
  }
}
