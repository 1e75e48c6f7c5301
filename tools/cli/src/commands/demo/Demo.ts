import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hex, Network } from '@firn/codec'
import { writeVerifiedSources } from '@firn/demo-chain'
import { createDemoNetwork, History } from '@firn/demo-network'
import type { Devnet } from '@firn/devnet'
import { Ports } from '@firn/http'
import { createIndexer, Database, Sources } from '@firn/indexer'
import type { LedgerState } from '@firn/ledger'
import { Command, defaults, option, type Terminal, Type } from '@firn/options'
import { Writer } from '@firn/store'
import { CliError } from '../../CliError.ts'
import * as Progress from '../../Progress.ts'
import * as DemoTraffic from '../evm/DemoTraffic.ts'
import * as Up from '../Up.ts'
import * as Products from './Products.ts'

/**
 * Options of `firn up` that the demo offers too. All other options keep their defaults, because the
 * environment may set them for the user's own database and network.
 */
const { host, dataPort, httpPort, gatewayPort, aggregatorPort } = Up.OPTIONS

const OPTIONS = {
  once: option(Type.flag, { default: false, help: 'End after every product has shown its data.' }),
  ...{ host, dataPort, httpPort, gatewayPort, aggregatorPort },
}

/** Options of `firn demo`. */
export type Options = Omit<
  Up.Options,
  'from' | 'upstream' | 'chain' | 'metadata' | 'abis' | 'databaseUrl'
> & {
  /** Whether to stop after every product has shown its data. */
  readonly once: boolean
}

export const COMMAND = Command.create({
  description:
    'Runs all products on demo networks: a recorded Primary Network with an L1, and a local EVM chain.',
  example: '--once',
  options: OPTIONS,
  run: (options, { terminal }) => demo({ ...defaults(Up.OPTIONS), ...options }, terminal),
})

/** Maximum time in milliseconds to wait for data from each product. */
const PATIENCE_MS = 45_000

/** Indexes the archive into the data folder, and returns the resulting ledger. */
const index = async (
  dataDir: string,
  archive: string,
  terminal: Terminal,
): Promise<LedgerState.LedgerState> => {
  const opened = await Database.open({ dataDir }, archive, terminal)
  const [source] = Sources.create(archive, [])
  if (source === undefined) throw new CliError('CLI_INPUT', `${archive} is not an archive`)
  try {
    await createIndexer({ ...opened, ...opened.rules, source, once: true }).run(terminal.signal)
    const { state } = await Writer.open(opened.store, opened.rules.genesis, opened.rules.constants)
    return state
  } finally {
    await source.close()
    await opened.store.close()
  }
}

/** Makes the validators accept and therefore sign a C-Chain message. Returns the message in hex. */
const acceptMessage = (devnet: Devnet): string =>
  Hex.encodeBare(
    devnet.acceptMessage({ chain: 'C', payload: new TextEncoder().encode('hello from the Firn demo') }),
  )

const print = (shown: readonly Products.Shown[], terminal: Terminal): void => {
  terminal.print('')
  for (const { product, found, url } of shown) {
    terminal.print(`${product.padEnd(21)} ${(found ?? 'NOTHING').padEnd(28)} ${url}`)
  }
}

const assertComplete = (shown: readonly Products.Shown[]): void => {
  const empty = shown.filter(({ found }) => found === undefined).map(({ url }) => url)
  if (empty.length > 0) throw new CliError('CLI_FINDINGS', `no data from: ${empty.join(', ')}`)
}

/**
 * Runs all products on demo networks: a recorded Primary Network with an L1, whose validators a devnet
 * simulates, and a local EVM chain with two weeks of traffic. Shows data from each product, and runs until a
 * signal arrives.
 */
export const demo = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, Up.ALL_PORTS, (bound) => run(bound, terminal))

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const { once, ...services } = options
  const folder = await mkdtemp(join(tmpdir(), 'firn-demo-'))
  const [dataDir, archive, details, abis] = [
    join(folder, 'data'),
    join(folder, 'archive'),
    join(folder, 'chains.json'),
    join(folder, 'abis'),
  ] as const
  const endings: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    await History.unpack(archive)
    const ledger = await Progress.during(terminal, 'indexing a recorded network', () =>
      index(dataDir, archive, terminal),
    )
    const devnet = await createDemoNetwork(ledger)
    endings.push(() => devnet.close())
    const evm = await DemoTraffic.start(0, terminal)
    endings.push(() => evm.close())
    await writeVerifiedSources(abis, DemoTraffic.CHAIN_ID, evm.made.contracts)
    await writeFile(details, JSON.stringify({ chains: { [DemoTraffic.CHAIN_ID]: DemoTraffic.ABOUT } }))
    const aggregatorOption = [`--p-chain-api=${devnet.rpcUrl}`, `--info-api=${devnet.rpcUrl}`]
    const network = Network.formatName(ledger.rules.constants.networkId)
    const contents = { message: acceptMessage(devnet), chainId: DemoTraffic.CHAIN_ID, network }
    const ready = async (urls: Up.Urls) => {
      const stop = new AbortController()
      endings.push(async () => stop.abort())
      const { gateway } = urls
      const until = AbortSignal.any([stop.signal, terminal.signal])
      evm.keepGoing(`${gateway}/rpc/${DemoTraffic.CHAIN_ID}`, until).catch((error: unknown) => {
        if (!until.aborted) terminal.note(`The local EVM stopped producing blocks: ${String(error)}`)
      })
      const samples = Products.samples({ ...urls, gateway: gateway ?? '' }, contents)
      const shown = await Products.showAll(samples, PATIENCE_MS, terminal.signal)
      print(shown, terminal)
      if (once) assertComplete(shown)
      else terminal.print(`\nstart here            ${urls.dataApi}/  (the console)`)
      return once
    }
    const own = {
      dataDir,
      from: archive,
      upstream: [],
      metadata: details,
      abis,
      rateLimits: false,
      // The pictures of the local chain's tokens are part of their metadata.
      nftImageBytes: 16_777_216,
      aggregatorOption,
    }
    const chain = [{ names: [`${DemoTraffic.CHAIN_ID}`], urls: [evm.url] }]
    await Up.run({ ...services, ...own, chain }, terminal, ready)
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}
