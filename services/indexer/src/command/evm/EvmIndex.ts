import { setTimeout as sleep } from 'node:timers/promises'
import { ChainStores } from '@firn/evm-store'
import {
  Command,
  Common,
  group,
  type NamedChains,
  OptionsError,
  option,
  type Terminal,
  Type,
  type Values,
} from '@firn/options'
import * as Meter from '@firn/options/meter'
import { Diagnostics } from '@firn/tracing'
import { VERSION } from '../../common/Version.ts'
import type { EvmChainStatus } from '../../evm/EvmChainStatus.ts'
import { ofChains } from '../../monitor/Monitor.ts'
import * as Database from '../Database.ts'
import * as Monitoring from '../Monitoring.ts'
import * as ChainDetails from './ChainDetails.ts'
import * as ChainOptions from './ChainOptions.ts'
import * as Chains from './Chains.ts'
import * as EvmIndexing from './EvmIndexing.ts'
import * as EvmReset from './EvmReset.ts'

const OPTIONS = {
  ...ChainOptions.OPTIONS,
  ...group('EVM chains', {
    metadata: option(Type.path, {
      help: 'JSON file whose member "chains" has the names, networks, tokens and first blocks of chains, by chain id: the file of --metadata of the Data API.',
    }),
  }),
  ...ChainOptions.RESET,
  ...Common.DATABASE,
  ...Monitoring.OPTIONS,
  ...Common.LOG_LEVEL,
  ...Common.DIAGNOSTICS,
}

type Options = Omit<Values<typeof OPTIONS>, 'metricsPort' | 'chain'> &
  Monitoring.Options & { readonly chain: readonly NamedChains.Named[] }

const PROGRAM = { name: 'firn-evm-index', version: VERSION }

/** The command that indexes EVM chains until a signal arrives. */
export const COMMAND: Command.Command = Command.create({
  description: 'Indexes EVM chains into a database that the Data API and the RPC gateway can serve.',
  example: '--chain https://api.avax-test.network/ext/bc/C/rpc',
  options: OPTIONS,
  isService: true,
  check: ({ chain, reset }) => {
    if (chain === undefined && reset === undefined)
      throw new OptionsError('nothing to follow: pass --chain <url>')
  },
  run: async (options, { terminal }) => {
    const { chain, reset } = options
    if (reset !== undefined) await EvmReset.reset(options, reset, terminal)
    if (chain === undefined) return
    await Diagnostics.during(options, PROGRAM, Database.logger(terminal), () =>
      Monitoring.during(options, (metricsPort) => run({ ...options, chain, metricsPort }, terminal)),
    )
  },
})

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const { chain, metadata } = options
  const details = metadata === undefined ? {} : ChainDetails.read(metadata)
  const stored = () => ChainStores.list(options)
  const chains = await Chains.resolve(chain, details, stored, terminal.signal)
  const indexing = await EvmIndexing.start(options, chains, Database.logger(terminal), terminal.signal)
  try {
    const monitor = await Monitoring.start(ofChains(indexing.indexer), options, terminal)
    try {
      await untilCaughtUp(indexing, terminal)
      terminal.print('Press Ctrl-C to stop')
      await indexing.ended
    } finally {
      await monitor?.close()
    }
  } finally {
    await indexing.close()
  }
}

/** Shows the progress until each chain has reached the head of its nodes. */
const untilCaughtUp = async (indexing: EvmIndexing.EvmIndexing, terminal: Terminal): Promise<void> => {
  const meter = Meter.start(terminal, 'indexing', () => reading(indexing.indexer.status()))
  try {
    while (!indexing.isCaughtUp() && !terminal.signal.aborted) {
      await Promise.race([indexing.ended, sleep(50)])
    }
    meter.stop(reading(indexing.indexer.status()).text)
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  }
}

const reading = (chains: readonly EvmChainStatus[]): Meter.Reading => {
  const sum = (of: (chain: EvmChainStatus) => bigint) => chains.reduce((total, one) => total + of(one), 0n)
  const [indexed, all] = [sum(({ height = 0n }) => height), sum(({ height = 0n, head = height }) => head)]
  return {
    part: all === 0n ? 0 : Number((indexed * 10_000n) / all) / 10_000,
    text: chains.map(line).join(', '),
  }
}

const line = ({ chainId, height, head, phase }: EvmChainStatus): string =>
  phase === 'behind'
    ? `chain ${chainId} ${height ?? 'empty'}/${head}`
    : `chain ${chainId} ${height ?? 'empty'} ${phase}`
