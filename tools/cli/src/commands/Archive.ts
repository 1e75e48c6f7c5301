import { createSource, createStoreSource, Database, GenesisFiles, writeArchive } from '@firn/indexer'
import { Command, Common, group, option, type Terminal, Type, type Values } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { systemClock } from '@firn/runtime'
import { CliError } from '../CliError.ts'

const OPTIONS = {
  to: option(Type.path, {
    isRequired: true,
    help: 'Folder to write to. If it contains an archive, that archive is continued.',
  }),
  ...Common.upstream('Nodes to read instead of the database, in order of preference.'),
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK,
  ...group('Upstream', { pollInterval: { ...Common.POLL_INTERVAL.pollInterval, default: 200 } }),
}

/** Options of `firn archive`. */
export type Options = Values<typeof OPTIONS>

export const COMMAND = Command.create({
  description:
    'Writes the containers of a node or of a database into an archive folder, which firn index --from can read.',
  example: '--to archive --upstream http://127.0.0.1:9650',
  options: OPTIONS,
  run: (options, { terminal }) => archive(options, terminal),
})

/** Writes an archive: from the nodes if any are given, otherwise from the database. */
export const archive = async (options: Options, terminal: Terminal): Promise<void> => {
  const { to } = options
  const upstreams = Database.nodes(options)
  const resumed = await GenesisFiles.ofArchive(to, BigInt(Math.floor(systemClock.now() / 1_000)))
  const known = upstreams.length === 0 ? undefined : await Database.network(options, terminal, resumed)
  const { store, rules } =
    known === undefined
      ? await Database.open({ ...options, attach: true }, undefined, terminal)
      : { store: undefined, rules: known }
  const source =
    upstreams.length === 0 && store !== undefined
      ? createStoreSource(store)
      : createSource({ upstreams, clock: systemClock, log: Database.logger(terminal) })
  const heights = new Map<string, string>()
  let part = 0
  const meter = Meter.start(terminal, `writing ${to}`, () => ({
    part,
    text: [...heights.values()].join(', '),
  }))
  try {
    const settings = {
      clock: systemClock,
      random: Math.random,
      log: Database.logger(terminal),
      pollMs: options.pollInterval,
    }
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
      throw new CliError('CLI_INTERRUPTED', 'stopped before the end; run the command again to resume')
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await source.close()
    await store?.close()
  }
}
