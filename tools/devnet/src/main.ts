import { once } from 'node:events'
import { isFirnError, isJsonObject, Json } from '@firn/codec'
import { Command, group, OptionsError, option, type Program, Type, type Values } from '@firn/options'
import { describe } from './Admin.ts'
import { DevnetError } from './DevnetError.ts'
import type { DevnetOptions, L1Options } from './Options.ts'
import { createDevnet } from './RunningDevnet.ts'
import * as GeneratedNetwork from './recorded/GeneratedNetwork.ts'
import { createRecordedDevnet, genesisFileOf } from './recorded/RecordedDevnet.ts'
import * as RecordedNetwork from './recorded/RecordedNetwork.ts'
import { describeRecorded } from './recorded/recordedApi.ts'
import { VERSION } from './Version.ts'

const L1_KEYS = ['name', 'validators', 'nodes', 'weights', 'inactive', 'manager']

const L1S: Type.Type<readonly L1Options[]> = {
  ...Type.json('a JSON object', (json) => [l1Options(json)]),
  combine: (before, next) => [...before, ...next],
}
const WEIGHTS = Type.list({ ...Type.big, placeholder: 'nAVAX', expected: 'a weight in nAVAX' })
const time = (fallback: number, help: string) =>
  option(Type.duration({ bare: 'ms' }), { default: fallback, help })
const number = (fallback: number, help: string) =>
  option(Type.integer(0, 9_999_999_999), { default: fallback, help })

const DEFAULT_NETWORK_ID = 12345
/** Limits the memory that generated blocks need, a few kB each. */
const MAX_MADE_UP = 1_000_000

const OPTIONS = {
  ...group('Validators', {
    validators: number(5, 'Number of Primary Network validators.'),
    weights: option(WEIGHTS, {
      defaultText: '2000000000000000 each',
      help: 'Weights of the validators in nAVAX, in order.',
    }),
    l1: option(L1S, {
      help: 'An L1; {} stands for an L1 with 5 validators: {"name","validators","nodes":"primary"|"own","weights":["100"],"inactive":[1],"manager":"self"|"c"}. Repeat the flag for more L1s.',
    }),
    spares: number(0, 'Number of running nodes that do not validate yet.'),
    seed: option(Type.text, { defaultText: 'firn', help: 'Seed from which keys and ids are derived.' }),
    faults: option(
      Type.json('JSON', (json) => json as Json.Json),
      {
        help: 'The share of silent validators (0.1), shares by kind of fault ({"slow":0.1,"silent":0.05}), or faults by validator index ({"0":"silent","3":{"kind":"slow","ms":4000}}).',
      },
    ),
    warm: option(Type.flag, {
      default: false,
      help: 'Report readiness only after all handshakes are prepared (20 ms each above 64 validators), and with --build-blocks the database is open.',
    }),
  }),
  ...group('Network', {
    networkId: option(Type.network, {
      defaultText: '12345, or the id in the archive',
      help: 'Network id; with 1 or 5, the rules of Mainnet or Fuji apply.',
    }),
    host: option(Type.host, { defaultText: '127.0.0.1', help: 'Address on which all servers listen.' }),
    rpcPort: number(9650, 'Port of the APIs; 0 picks a free port.'),
    stakingPort: number(
      0,
      'Port of the first validator; the next validators use the following ports. 0 picks free ports.',
    ),
  }),
  ...group('Blocks', {
    from: option(Type.path, {
      help: 'Archive of a network whose blocks the validators serve to peers, instead of signing messages.',
    }),
    madeUpBlocks: option(Type.integer(1, MAX_MADE_UP), {
      help: 'Serves a generated P-chain of this length on the genesis of --network-id, which is 1, 5 or the id of a custom network.',
    }),
    madeUpVertices: option(Type.integer(1, MAX_MADE_UP), {
      help: 'Number of vertices of a generated X-chain; only for custom networks.',
    }),
    height: option(Type.integer(0, 9_999_999_999), {
      defaultText: 'the last block',
      help: 'P-chain height at the start. POST /devnet/grow accepts the following blocks.',
    }),
    growEvery: option(Type.duration({ bare: 'ms', leastMs: 1 }), {
      help: 'Interval at which the next block is accepted.',
    }),
  }),
  ...group('Chains', {
    buildBlocks: option(Type.flag, {
      default: false,
      help: 'Runs real P-, X- and C-chains from a new genesis: validators build blocks from transactions that are issued to the APIs or pushed by peers. The key of the local network owns the funds.',
    }),
    buildDelay: time(250, 'Time from a transaction to its block, with --build-blocks.'),
  }),
  ...group('Time', {
    blockInterval: time(5_000, 'Time between two P-chain blocks; 0 disables automatic blocks.'),
    proposedLag: time(30_000, 'Time after acceptance before a block is proposed.'),
    epochDuration: option(Type.duration({ bare: 'ms' }), {
      defaultText: 'as on the network',
      help: 'Length of an epoch, in which the chains use one P-chain height.',
    }),
  }),
}

/** An opened archive, and the genesis file of its network if there is one. */
export interface OpenedArchive extends RecordedNetwork.RecordedInput {
  readonly genesisFile?: string | undefined
  close(): Promise<void>
}

/** Opens the archive in a folder. */
export type OpenArchive = (folder: string) => Promise<OpenedArchive>

/** Returns the command that runs a devnet until it is stopped. `openArchive` opens the folder of `--from`. */
export function createCommand(openArchive: OpenArchive): Command.Command {
  return Command.create({
    description:
      'Runs a complete test network: validators that sign over real TLS, a P-chain, and configurable faults. With --build-blocks, it has real chains, whose blocks are built from transactions. With --from, validators serve the blocks of a recorded network to peers that sync instead. Prints one line of JSON when all servers are listening. Other processes control the network through POST /devnet/messages, /devnet/faults, /devnet/advance, /devnet/grow and more at the same address; GET /devnet describes it.',
    example: '--validators 20 --l1 {}',
    options: OPTIONS,
    check: checkCombination,
    run: async (values, { terminal }) => {
      const devnet = await start(values, openArchive).catch((error: unknown) => {
        if (isFirnError(error) && error.code === 'DEVNET_OPTIONS')
          throw new OptionsError(error.message, { cause: error })
        throw error
      })
      terminal.print(Json.stringify(devnet.summary()))
      if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
      await devnet.close()
    },
  })
}

/** The program that consists only of this command, without archives. */
export const PROGRAM: Program.Program = {
  name: 'devnet',
  version: VERSION,
  load: () =>
    createCommand(() => {
      throw new DevnetError('DEVNET_OPTIONS', 'this program cannot read archives. Run firn devnet --from.')
    }),
}

type CommandValues = Values<typeof OPTIONS>

/** Options that only a devnet with its own P-chain has. */
const OWN_CHAIN_ONLY = ['weights', 'l1', 'spares', 'warm', 'buildBlocks'] as const
/** Options that only a devnet with recorded or generated blocks has. */
const BLOCKS_ONLY = ['height', 'growEvery', 'madeUpVertices'] as const

function isServingBlocks({ from, madeUpBlocks }: CommandValues): boolean {
  return from !== undefined || madeUpBlocks !== undefined
}

function checkCombination(values: CommandValues): void {
  const isBlocks = isServingBlocks(values)
  if (values.from !== undefined && values.madeUpBlocks !== undefined)
    throw new OptionsError('--from cannot be combined with --made-up-blocks')
  const refused = (isBlocks ? OWN_CHAIN_ONLY : BLOCKS_ONLY).find((name) => isGiven(values[name]))
  if (refused === undefined) return
  const flag = `--${refused.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw new OptionsError(
    isBlocks
      ? `${flag} cannot be combined with --from or --made-up-blocks`
      : `${flag} needs --from or --made-up-blocks`,
  )
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && value !== 0
}

interface Started {
  /** Returns the description of the devnet that is printed at startup. */
  summary(): Json.Json
  close(): Promise<void>
}

async function start(values: CommandValues, openArchive: OpenArchive): Promise<Started> {
  if (isServingBlocks(values)) return startBlocks(values, openArchive)
  const devnet = await createDevnet(toDevnetOptions(values))
  const warming = values.warm || values.buildBlocks ? devnet.warm() : undefined
  if (values.warm) await warming
  // Without --warm, the first request to the chains reports a database that cannot be opened.
  else warming?.catch(() => undefined)
  return {
    summary: () => ({ ...describe(devnet), validators: devnet.validators.length }),
    close: () => devnet.close(),
  }
}

async function startBlocks(values: CommandValues, openArchive: OpenArchive): Promise<Started> {
  const { validators, seed, host, rpcPort, stakingPort, faults, height, growEvery } = values
  const devnet = await createRecordedDevnet({
    ...(await loadNetwork(values, openArchive)),
    validators,
    rpcPort,
    stakingPort,
    faults,
    ...(seed === undefined ? {} : { seed }),
    ...(host === undefined ? {} : { host }),
    ...(height === undefined ? {} : { height }),
    ...(growEvery === undefined ? {} : { growIntervalMs: growEvery }),
  })
  return {
    summary: () => ({ ...describeRecorded(devnet), validators: devnet.validators.length }),
    close: () => devnet.close(),
  }
}

interface LoadedNetwork {
  readonly network: RecordedNetwork.RecordedNetwork
  readonly genesisFile: string | undefined
}

async function loadNetwork(values: CommandValues, openArchive: OpenArchive): Promise<LoadedNetwork> {
  const { from, networkId, madeUpBlocks = 0, madeUpVertices, seed = 'firn' } = values
  if (from === undefined) {
    const { network, genesisConfig } = await GeneratedNetwork.create({
      networkId: networkId ?? DEFAULT_NETWORK_ID,
      blocks: madeUpBlocks,
      vertices: madeUpVertices ?? 0,
      seed,
    })
    return { network, genesisFile: genesisConfig && genesisFileOf(genesisConfig) }
  }
  const archive = await openArchive(from)
  try {
    const recorded = archive.rules.genesis.networkId
    if (networkId !== undefined && networkId !== recorded)
      throw new DevnetError(
        'DEVNET_OPTIONS',
        `${from} is an archive of network ${recorded}, not ${networkId}`,
      )
    return { network: await RecordedNetwork.read(archive), genesisFile: archive.genesisFile }
  } finally {
    await archive.close()
  }
}

function toDevnetOptions(values: Values<typeof OPTIONS>): DevnetOptions {
  const {
    blockInterval,
    proposedLag,
    epochDuration,
    l1 = [],
    warm: _warm,
    from: _from,
    madeUpBlocks: _madeUpBlocks,
    madeUpVertices: _madeUpVertices,
    height: _height,
    growEvery: _growEvery,
    buildDelay,
    networkId = DEFAULT_NETWORK_ID,
    weights,
    seed,
    host,
    faults,
    ...rest
  } = values
  return {
    ...rest,
    networkId,
    proposedLagMs: proposedLag,
    buildDelayMs: buildDelay,
    ...(l1.length === 0 ? {} : { l1s: l1 }),
    ...(blockInterval === 0 ? {} : { blockIntervalMs: blockInterval }),
    ...(epochDuration === undefined ? {} : { epochDurationMs: epochDuration }),
    ...(weights === undefined ? {} : { weights }),
    ...(seed === undefined ? {} : { seed }),
    ...(host === undefined ? {} : { host }),
    ...(faults === undefined ? {} : { faults }),
  }
}

function weight(text: string): bigint {
  if (/^[0-9]{1,20}$/.test(text)) return BigInt(text)
  throw new DevnetError(
    'DEVNET_OPTIONS',
    `--l1 weights: expected a whole number of at most 20 digits, got ${text}`,
  )
}

function l1Options(value: unknown): L1Options {
  if (!isJsonObject(value)) {
    throw new DevnetError('DEVNET_OPTIONS', `--l1: expected a JSON object, got ${JSON.stringify(value)}`)
  }
  const unknown = Object.keys(value).find((key) => !L1_KEYS.includes(key))
  if (unknown !== undefined) {
    throw new DevnetError(
      'DEVNET_OPTIONS',
      `--l1: expected only the members ${L1_KEYS.join(', ')}, got ${unknown}`,
    )
  }
  const { weights, ...rest } = value as Readonly<Record<string, unknown>>
  return {
    ...rest,
    ...(Array.isArray(weights) ? { weights: weights.map((value) => weight(String(value))) } : {}),
  }
}
