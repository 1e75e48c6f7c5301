import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { isFirnError, Json } from '@firn/codec'
import { describe } from './Admin.ts'
import type { Devnet } from './Devnet.ts'
import { DevnetError } from './DevnetError.ts'
import type { DevnetOptions, L1Options } from './Options.ts'
import { createDevnet } from './RunningDevnet.ts'

const HELP = `A network in a box: validators that sign over real TLS, a P-chain, faults on demand.

  --validators N       Primary Network validators                        (default 5)
  --weights W,W,…      their weights in nAVAX, in order                   (default 2000000000000000 each)
  --l1 JSON            an L1; may be repeated. {} has 5 validators        (default none)
                       {"name","validators","nodes":"primary"|"own","weights":["100"],"inactive":[1],"manager":"self"|"c"}
  --spares N           nodes that run and validate nothing yet            (default 0)
  --seed TEXT          what keys and ids are made from                    (default firn)
  --network-id N       1 and 5 have a node's rules of those networks      (default 12345)
  --host IP            where everything listens                          (default 127.0.0.1)
  --rpc-port N         port of the APIs, 0 for any                        (default 9650)
  --staking-port N     validator i listens at N + i, 0 for any            (default 0)
  --block-interval MS  accept a P-chain block that often, 0 for never     (default 5000)
  --proposed-lag MS    how long a block is too young to be proposed       (default 30000)
  --faults JSON        a share that is silent (0.1), shares by kind ({"slow":0.1,"silent":0.05}) or faults by index
                       ({"0":"silent","3":{"kind":"slow","ms":4000}})
  --warm               print the line only when all handshakes are prepared (20 ms each above 64 validators)
  --help

Prints one line of JSON when all of it listens; stops on SIGINT and SIGTERM. Other processes steer it through
POST /devnet/messages, /devnet/faults, /devnet/advance and more at the same address; GET /devnet tells what runs.
`

const OPTIONS = {
  validators: { type: 'string' },
  weights: { type: 'string' },
  l1: { type: 'string', multiple: true },
  spares: { type: 'string' },
  seed: { type: 'string' },
  'network-id': { type: 'string' },
  host: { type: 'string' },
  'rpc-port': { type: 'string' },
  'staking-port': { type: 'string' },
  'block-interval': { type: 'string' },
  'proposed-lag': { type: 'string' },
  faults: { type: 'string' },
  warm: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const L1_KEYS = ['name', 'validators', 'nodes', 'weights', 'inactive', 'manager']

type Flags = ReturnType<typeof parseArgs<{ readonly options: typeof OPTIONS }>>['values']

/** The parts of its process that {@link main} uses. */
export interface MainContext {
  /** Ends the network; by default SIGINT and SIGTERM. */
  readonly signal?: AbortSignal
  readonly stdout?: (text: string) => void
  readonly stderr?: (text: string) => void
}

/** Runs a devnet until it is stopped, and returns the exit code: 0, or 2 for invalid flags. */
export async function main(argv: readonly string[], context: MainContext = {}): Promise<number> {
  const { stdout = (text) => process.stdout.write(text), stderr = (text) => process.stderr.write(text) } =
    context
  const signal = context.signal ?? processSignals()
  let devnet: Devnet
  try {
    const flags = readFlags(argv)
    if (flags.help === true) {
      stdout(HELP)
      return 0
    }
    devnet = await createDevnet(optionsOf(flags))
    if (flags.warm === true) await devnet.warm()
  } catch (error) {
    if (!isFirnError(error)) throw error
    stderr(`${error.code}: ${error.message}\n`)
    return 2
  }
  const { validators, ...summary } = describe(devnet)
  stdout(`${Json.stringify({ ...summary, validators: devnet.validators.length })}\n`)
  if (!signal.aborted) await once(signal, 'abort')
  await devnet.close()
  return 0
}

function processSignals(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

function readFlags(argv: readonly string[]): Flags {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false }).values
  } catch (cause) {
    throw new DevnetError('DEVNET_OPTIONS', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function optionsOf(flags: Flags): DevnetOptions {
  const blockIntervalMs = number(flags, 'block-interval', 5_000)
  return {
    validators: number(flags, 'validators', 5),
    spares: number(flags, 'spares', 0),
    networkId: number(flags, 'network-id', 12345),
    rpcPort: number(flags, 'rpc-port', 9650),
    stakingPort: number(flags, 'staking-port', 0),
    proposedLagMs: number(flags, 'proposed-lag', 30_000),
    l1s: (flags.l1 ?? []).map(l1Options),
    ...(blockIntervalMs === 0 ? {} : { blockIntervalMs }),
    ...(flags.weights === undefined ? {} : { weights: flags.weights.split(',').map(weight) }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.faults === undefined ? {} : { faults: json('faults', flags.faults) }),
  }
}

function number(flags: Flags, name: keyof Flags, fallback: number): number {
  const given = flags[name]
  if (given === undefined) return fallback
  if (typeof given === 'string' && /^[0-9]{1,10}$/.test(given)) return Number(given)
  throw new DevnetError('DEVNET_OPTIONS', `--${name}: expected a whole number, got ${String(given)}`)
}

function json(name: string, text: string): Json.Json {
  try {
    return Json.parse(text)
  } catch (cause) {
    throw new DevnetError('DEVNET_OPTIONS', `--${name}: ${(cause as Error).message}`, { cause })
  }
}

function weight(text: string): bigint {
  if (/^[0-9]{1,20}$/.test(text)) return BigInt(text)
  throw new DevnetError('DEVNET_OPTIONS', `expected a weight, got ${text}`)
}

function l1Options(text: string): L1Options {
  const value = json('l1', text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DevnetError('DEVNET_OPTIONS', `--l1: expected a JSON object, got ${text}`)
  }
  const unknown = Object.keys(value).find((key) => !L1_KEYS.includes(key))
  if (unknown !== undefined) {
    throw new DevnetError('DEVNET_OPTIONS', `--l1: expected ${L1_KEYS.join(', ')}, got ${unknown}`)
  }
  const { weights, ...rest } = value as Readonly<Record<string, unknown>>
  return {
    ...rest,
    ...(Array.isArray(weights) ? { weights: weights.map((value) => weight(String(value))) } : {}),
  }
}
