import { Clock, createSource, createStoreSource, writeArchive } from '@firn/indexer'
import { CliError } from '../CliError.ts'
import * as Meter from '../Meter.ts'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'

/** What `firn archive` may be told. */
export type Options = Database.Options & { readonly to: string }

/** Writes an archive, from the nodes if there are any, else from the database. */
export const archive = async (options: Options, terminal: Terminal): Promise<void> => {
  const { to } = options
  const upstreams = Database.nodes(options)
  const known = upstreams.length === 0 ? undefined : await Database.network(options, terminal)
  const { store, rules } =
    known === undefined
      ? await Database.open({ ...options, attach: true }, undefined, terminal)
      : { store: undefined, rules: known }
  const source =
    upstreams.length === 0 && store !== undefined
      ? createStoreSource(store)
      : createSource({ upstreams, clock: Clock.SYSTEM })
  const heights = new Map<string, string>()
  let part = 0
  const meter = Meter.start(terminal, `writing ${to}`, () => ({
    part,
    text: [...heights.values()].join(', '),
  }))
  try {
    const settings = { clock: Clock.SYSTEM, random: Math.random, log: Database.logger(terminal), pollMs: 200 }
    await writeArchive(
      {
        ...settings,
        source,
        rules,
        to,
        onProgress: (chain, height, tip = height) => {
          part = tip === 0n ? 0 : Number((height * 1000n) / tip) / 1000
          heights.set(chain, `${chain} ${height}${tip === height ? '' : `/${tip}`}`)
        },
      },
      terminal.signal,
    )
    meter.stop([...heights.values()].join(', '))
    terminal.print(`${to}: ${heights.size === 0 ? 'nothing new' : [...heights.values()].join(', ')}`)
    if (terminal.signal.aborted)
      throw new CliError('CLI_INTERRUPTED', 'stopped before the end; run it again to go on')
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await source.close()
    await store?.close()
  }
}
