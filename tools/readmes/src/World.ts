import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CheckedHex, Hex, Id } from '@firn/codec'
import { createDemo, startLocalEvm } from '@firn/demo-chain'
import { createDevnet, createRecordedDevnet, GeneratedNetwork } from '@firn/devnet'
import { NetworkGenesis } from '@firn/genesis-data'
import { type Owner, withOwner } from '@firn/runtime'
import { TestPostgres } from '@firn/sql/testing'
import * as HttpProxy from './HttpProxy.ts'
import { PUBLIC_HOSTS, type Values } from './Placeholders.ts'
import { ReadmesError } from './ReadmesError.ts'
import * as Shell from './Shell.ts'

/** Port of the node that a reader of the READMEs runs. */
const NODE_PORT = 9650
const MAINNET = 1
const FUJI = 5
const FUJI_EVM = 43_113
const DAY = 86_400

/** Public test key of the local network. */
const EWOQ = 'PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN'

/** A line in an access log of another gateway. */
const REQUEST = {
  time: 1_795_280_400,
  chainId: String(FUJI_EVM),
  method: 'eth_call',
  status: 200,
  milliseconds: 12,
  credits: 25,
}

/** Servers on loopback that replace the public networks and a reader's own node on Fuji. */
export interface World {
  /** Variables that direct every command to the servers. */
  readonly env: Readonly<Record<string, string>>
  /** Content of `~/.curlrc`. */
  readonly curl: string
  /** Returns the placeholder values for the block `text`. `home` is the block's home folder. */
  values(home: string, text: string): Promise<Values>
  /** Releases the resources that belong to the values of the current block. */
  release(): Promise<void>
  close(): Promise<void>
}

/** Options of {@link start}. */
export interface Options {
  /** Root folder of the clone. */
  readonly root: string
  /** An empty folder for the data of the servers. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Writes the archive of the recorded local network, which is part of the repository. */
function writeRecordedArchive(root: string, folder: string): void {
  const file = join(root, 'services/indexer/vectors/local.json.gz')
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    readonly files: Readonly<Record<string, string>>
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Writes an archive of Fuji that contains only its genesis. */
async function writeFujiArchive(folder: string): Promise<void> {
  const genesis = await NetworkGenesis.load('fuji')
  const { bytes, id } = genesis.firstBlock
  const block = { height: 0, id: Id.format(id), blockBytes: CheckedHex.encode(bytes) }
  for (const name of ['genesis', 'p']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'genesis/ids.json'), JSON.stringify({ genesisBytes: Hex.encode(genesis.bytes) }))
  writeFileSync(join(folder, 'p/blocks.jsonl'), `${JSON.stringify(block)}\n`)
}

/** Returns block 1 of the P-chain in an archive, in hex. */
function firstBlock(archive: string): string {
  const [, line = '{}'] = readFileSync(join(archive, 'p/blocks.jsonl'), 'utf8').split('\n')
  const { containerBytes, blockBytes } = JSON.parse(line) as Readonly<Record<string, string>>
  return blockBytes ?? containerBytes ?? ''
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts an EVM chain with Fuji's chain id and the given number of blocks, spread over two days. */
async function startEvm(blocks: number, start: number, signal: AbortSignal) {
  const evm = await startLocalEvm({
    port: await freePort(),
    chainId: FUJI_EVM,
    genesisTime: start - 60,
    signal,
  })
  if (blocks === 0) return evm
  const demo = await createDemo(evm.url, start)
  for (let block = 1; block < blocks; block++) await demo.block(start + block * 3_600)
  return evm
}

/** Number of blocks of a network that peers on loopback serve. */
const PEER_BLOCKS = 200
/** The X-chain of these networks starts with a block, because its vertices cannot be made up. */
const NO_VERTICES = { cortinaXChainStopVertexID: Id.format(Id.EMPTY) }

/** Starts peers that serve a made-up chain of a public network. Returns the variables for a command that syncs it. */
async function startPeers(networkId: number) {
  const { network } = await GeneratedNetwork.create({
    networkId,
    blocks: PEER_BLOCKS,
    stopVertexId: Id.EMPTY,
    seed: 'readmes',
  })
  const devnet = await createRecordedDevnet({ network })
  const variables = {
    AVAGO_BOOTSTRAP_IDS: devnet.bootstrap.ids,
    AVAGO_BOOTSTRAP_IPS: devnet.bootstrap.ips,
    AVAGO_UPGRADE_FILE_CONTENT: Buffer.from(JSON.stringify(NO_VERTICES)).toString('base64'),
  }
  return { variables, close: () => devnet.close() }
}

/**
 * Starts the servers. A devnet with Fuji's network id replaces the public hosts, and a replica of Fuji at its
 * genesis listens on port 9650. Both use a local EVM as C-chain.
 * @throws ReadmesError `READMES_SETUP`, `READMES_COMMAND`
 */
export async function start(options: Options): Promise<World> {
  try {
    return await withOwner((owner) => open(options, owner))
  } catch (cause) {
    if (cause instanceof ReadmesError) throw cause
    throw new ReadmesError(
      'READMES_SETUP',
      `could not start the servers that replace the public networks: ${String(cause)}`,
      { cause },
    )
  }
}

async function open({ root, folder, env, signal }: Options, owner: Owner): Promise<World> {
  // The two EVM chains have the same genesis and act as two nodes of one chain. One of them stays at the
  // genesis.
  const start = Math.floor(Date.now() / 1000) - 2 * DAY
  const evm = owner.own(await startEvm(20, start, signal))
  const begun = owner.own(await startEvm(0, start, signal))
  const devnet = owner.own(await createDevnet({ networkId: FUJI }))
  const mainnetPeers = owner.own(await startPeers(MAINNET))
  const fujiPeers = owner.own(await startPeers(FUJI))
  const [recorded, fuji] = [join(folder, 'recorded'), join(folder, 'fuji')]
  writeRecordedArchive(root, recorded)
  await writeFujiArchive(fuji)

  const patience = { runMs: 180_000, stopMs: 30_000 }
  const shell = Shell.create({ cwd: root, env, folder, patience, signal })
  const port = await freePort()
  const node = await startNode(shell, fuji, join(folder, 'node'), port)
  owner.onClose(() => node.stop())
  // The reader's own node has only the genesis of all three chains.
  const nodeRoutes = [...cChain(begun.url), { path: '/', to: `http://127.0.0.1:${port}` }]
  owner.own(await HttpProxy.start(nodeRoutes, { port: NODE_PORT }))
  const publicRoutes = [...cChain(evm.url), { path: '/', to: devnet.rpcUrl }]
  const far = owner.own(await HttpProxy.start(publicRoutes, { isSecure: true }))

  const payload = new TextEncoder().encode('hello from Firn')
  const message = Hex.encodeBare(devnet.acceptMessage({ chain: devnet.chains.c, payload }))
  const peers = { mainnet: mainnetPeers.variables, fuji: fujiPeers.variables }
  return {
    env: variables(far.port, peers),
    curl: curlSettings(far.port),
    ...createValues({ shell, recorded, given: { ...writeFiles(folder, recorded), [MESSAGE]: message } }),
    close: owner.close,
  }
}

const MESSAGE = '<unsigned Warp message, hex>'

function startNode(shell: Shell.Shell, archive: string, home: string, port: number): Promise<Shell.Running> {
  const flags = `--data-dir ${home} --http-port ${port} --index-enabled --api-admin-enabled`
  return shell.start(`npm run firn -- node --from ${archive} ${flags}`, /Ctrl-C/)
}

/** Returns the routes of a node's C-chain to an EVM chain. */
function cChain(to: string) {
  return [
    { path: '/ext/bc/C/rpc', to, as: '/' },
    { path: '/ext/bc/C/ws', to, as: '/' },
  ]
}

/** Writes the files that commands read, and returns their values. */
function writeFiles(folder: string, recorded: string): Values {
  const accessLog = join(folder, 'access.ndjson')
  writeFileSync(accessLog, `${JSON.stringify(REQUEST)}\n`)
  const keys = join(folder, 'keys')
  writeFileSync(keys, `${EWOQ}\n`)
  return {
    '<archive>': recorded,
    '<access log>': accessLog,
    '<keys>': keys,
    '<block, hex>': firstBlock(recorded),
  }
}

function variables(port: number, peers: object): World['env'] {
  return {
    FIRN_README_HOSTS: PUBLIC_HOSTS.join(','),
    FIRN_README_PORT: String(port),
    FIRN_README_PEERS: JSON.stringify(peers),
    // The devnet's validators listen on loopback.
    FIRN_ALLOW_PRIVATE_IPS: 'true',
  }
}

function curlSettings(port: number): string {
  return [
    'fail-with-body',
    'insecure',
    // curl writes its progress meter to the output too, so a service would seem ready before its response
    // begins.
    'no-progress-meter',
    ...PUBLIC_HOSTS.map((host) => `connect-to = "${host}:443:127.0.0.1:${port}"`),
    '',
  ].join('\n')
}

/** What the values of a block need. */
interface ValuesOptions {
  readonly shell: Shell.Shell
  /** Folder of the archive of the recorded local network. */
  readonly recorded: string
  /** Values that are equal for all blocks. */
  readonly given: Values
}

function createValues({ shell, recorded, given }: ValuesOptions): Pick<World, 'values' | 'release'> {
  const released: (() => Promise<unknown>)[] = []
  return {
    async values(home, text) {
      const needsDatabase = text.includes('postgres://')
      const database = needsDatabase ? await TestPostgres.start() : undefined
      const recordedPort = text.includes('<url>') ? await freePort() : undefined
      if (recordedPort !== undefined) {
        const other = await startNode(shell, recorded, join(home, 'recorded-node'), recordedPort)
        released.push(() => other.stop())
      }
      const beacons = text.includes('<NodeIDs>') ? await startBeacons(shell, recorded, released) : undefined
      if (database !== undefined) released.push(() => database.close())
      return {
        ...given,
        ...(recordedPort && { '<url>': `http://127.0.0.1:${recordedPort}` }),
        '<folder>': join(home, 'folder'),
        ...(beacons && { '<NodeIDs>': beacons.ids, '<addresses>': beacons.ips }),
        ...(database && { 'postgres://…': database.url }),
      }
    },
    release: async () => {
      for (const end of released.splice(0)) await end()
    },
  }
}

/** Starts validators that serve the recorded local network to peers. */
async function startBeacons(shell: Shell.Shell, recorded: string, released: (() => Promise<unknown>)[]) {
  const port = await freePort()
  const command = `npm run firn -- devnet --from ${recorded} --rpc-port ${port}`
  const beacons = await shell.start(command, /"rpcUrl"/)
  released.push(() => beacons.stop())
  const response = await fetch(`http://127.0.0.1:${port}/devnet`)
  const { bootstrapIds: ids, bootstrapIps: ips } = (await response.json()) as {
    readonly bootstrapIds: string
    readonly bootstrapIps: string
  }
  return { ids, ips }
}
