import { Hex, isFirnError } from '@firn/codec'
import { ChainStores } from '@firn/evm-store'
import { createSource, Database, Doctor } from '@firn/indexer'
import { Command, Common, group, NamedChains, option, type Terminal, Type, type Values } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { systemClock } from '@firn/runtime'
import { CliError } from '../CliError.ts'
import * as DoctorResult from './DoctorResult.ts'

const OPTIONS = {
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK,
  ...Common.upstream('Nodes to compare with, in order of preference.'),
  replay: option(Type.flag, {
    default: false,
    help: 'Apply all blocks again in memory, and compare every table.',
  }),
  digests: option(Type.flag, {
    default: false,
    help: "Print each chain's digest after every thousand blocks.",
  }),
  chainId: option(NamedChains.ID, {
    help: 'Check the stored EVM chain with this id instead of the Primary Network.',
  }),
  against: option(Type.url('http', 'https'), {
    help: 'Compare validators, supply, balances and UTXOs with this node instead.',
  }),
  ...group('With --against', {
    sampleAddresses: option(Type.count, {
      default: 20,
      help: 'Number of addresses to compare on each chain.',
    }),
    sampleHeights: option(Type.count, { default: 5, help: 'Number of heights to compare on each chain.' }),
    sampleSubnets: option(Type.count, {
      default: 10,
      help: 'Number of subnets to compare besides the Primary Network.',
    }),
    seed: option(Type.integer(0, 999_999_999), {
      defaultText: 'random',
      help: 'Seed of the sample. Use the printed seed of an earlier run to compare the same sample.',
    }),
  }),
}

/** Options of `firn doctor`. */
export type Options = Values<typeof OPTIONS>

export const COMMAND = Command.create({
  description:
    'Checks that a database is complete, or that it agrees with a node. The exit status is 1 if not.',
  example: '--network fuji --replay',
  options: OPTIONS,
  check: ({ against, upstream, replay, digests, chainId }) => {
    if (against !== undefined && (upstream.length > 0 || replay || digests || chainId !== undefined))
      throw new CliError('CLI_USAGE', '--against excludes --upstream, --replay, --digests and --chain-id')
  },
  run: async (options, { terminal }) => {
    const { chainId, against } = options
    if (against !== undefined)
      return (await import('./DoctorAgainst.ts')).against({ ...options, against }, terminal)
    if (chainId !== undefined)
      return (await import('./evm/EvmDoctor.ts')).doctor({ ...options, chainId }, terminal)
    try {
      return await doctor(options, terminal)
    } catch (error) {
      throw await namingChains(error, options)
    }
  },
})

/** If the database holds EVM chains alone, returns an error that names them instead. */
const namingChains = async (error: unknown, options: Options): Promise<unknown> => {
  if (!isFirnError(error) || error.code !== 'STORE_EMPTY') return error
  const chains = await ChainStores.list(options)
  if (chains.length === 0) return error
  const names = chains.length === 1 ? `EVM chain ${chains[0]}` : `EVM chains ${chains.join(', ')}`
  return new CliError(
    'CLI_INPUT',
    `The database holds no network, but the ${names}. Pass --chain-id ${chains[0]}.`,
  )
}

const print = (found: Doctor.Examination, terminal: Terminal, withAll: boolean): void => {
  for (const [chain, count] of Object.entries(found.blocks)) {
    const own = found.digests.filter((digest) => digest.chain === chain)
    for (const { height, digest } of withAll ? own : own.slice(-1)) {
      terminal.print(`${chain} ${String(height).padStart(10)}  ${Hex.encode(digest)}`)
    }
    if (own.length === 0) terminal.print(`${chain}: ${count} blocks`)
  }
  if (found.state !== undefined) terminal.print(`tables        ${Hex.encode(found.state)}`)
  for (const { message } of found.findings) terminal.print(`wrong: ${message}`)
}

/** Checks a database. Prints the findings, and throws an error if there are any. */
export const doctor = async (options: Options, terminal: Terminal): Promise<void> => {
  const upstreams = Database.nodes(options)
  const { store } = await Database.open({ ...options, attach: true }, undefined, terminal)
  const source = upstreams.length === 0 ? undefined : createSource({ upstreams, clock: systemClock })
  const startedAt = Date.now()
  let [part, text] = [0, '']
  const meter = Meter.start(terminal, 'examining', () => ({ part, text }))
  try {
    const found = await Doctor.examine(
      {
        store,
        source,
        replay: options.replay,
        onProgress: (chain, height, tip) => {
          part = tip === 0n ? 1 : Number((height * 1000n) / tip) / 1000
          text = `${chain} ${height}/${tip}`
        },
      },
      terminal.signal,
    )
    meter.stop('examined')
    print(found, terminal, options.digests)
    const findings = found.findings.map(({ message }) => message)
    const kind = options.replay ? 'doctor --replay' : 'doctor'
    await DoctorResult.keep(store, { kind, startedAt, findings }, terminal)
    const count = findings.length
    if (count > 0)
      throw new CliError(
        'CLI_FINDINGS',
        `${count} ${count === 1 ? 'problem' : 'problems'} found in the database`,
      )
    terminal.print('nothing is missing')
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await source?.close()
    await store.close()
  }
}
