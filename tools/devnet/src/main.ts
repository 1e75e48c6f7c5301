import { once } from 'node:events'
import { isFirnError, Json } from '@firn/codec'
import { Command, group, OptionsError, option, type Program, Type, type Values } from '@firn/options'
import { describe } from './Admin.ts'
import { DevnetError } from './DevnetError.ts'
import type { DevnetOptions, L1Options } from './Options.ts'
import { createDevnet } from './RunningDevnet.ts'
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
      help: 'Report readiness only after all handshakes are prepared (20 ms each above 64 validators).',
    }),
  }),
  ...group('Network', {
    networkId: number(12345, 'Network id; with 1 or 5, the rules of Mainnet or Fuji apply.'),
    host: option(Type.host, { defaultText: '127.0.0.1', help: 'Address on which all servers listen.' }),
    rpcPort: number(9650, 'Port of the APIs; 0 picks a free port.'),
    stakingPort: number(
      0,
      'Port of the first validator; the next validators use the following ports. 0 picks free ports.',
    ),
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

/** The command that runs a devnet until it is stopped. */
export const COMMAND: Command.Command = Command.create({
  description:
    'Runs a complete test network: validators that sign over real TLS, a P-chain, and configurable faults. Prints one line of JSON when all servers are listening. Other processes control the network through POST /devnet/messages, /devnet/faults, /devnet/advance and more at the same address; GET /devnet describes it.',
  example: '--validators 20 --l1 {}',
  options: OPTIONS,
  run: async (values, { terminal }) => {
    const devnet = await createDevnet(toDevnetOptions(values)).catch((error: unknown) => {
      if (isFirnError(error) && error.code === 'DEVNET_OPTIONS')
        throw new OptionsError(error.message, { cause: error })
      throw error
    })
    if (values.warm) await devnet.warm()
    const { validators, ...summary } = describe(devnet)
    terminal.print(Json.stringify({ ...summary, validators: devnet.validators.length }))
    if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
    await devnet.close()
  },
})

/** The program that consists only of this command. */
export const PROGRAM: Program.Program = { name: 'devnet', version: VERSION, load: () => COMMAND }

function toDevnetOptions(values: Values<typeof OPTIONS>): DevnetOptions {
  const {
    blockInterval,
    proposedLag,
    epochDuration,
    l1 = [],
    warm: _warm,
    weights,
    seed,
    host,
    faults,
    ...rest
  } = values
  return {
    ...rest,
    proposedLagMs: proposedLag,
    l1s: l1,
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
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
