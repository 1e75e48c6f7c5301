import { setTimeout as sleep } from 'node:timers/promises'
import * as Kinds from './Kinds.ts'
import type * as Load from './Load.ts'
import type { Networks } from './Networks.ts'
import type { Service } from './Service.ts'

/** What faults act on. */
export interface Scene {
  readonly networks: Networks
  /** The service of each kind that is disrupted. The others run from the beginning to the end. */
  readonly disrupted: Readonly<Record<Kinds.Kind, Service>>
}

/** A fault that is injected again and again. */
export interface Fault {
  readonly name: string
  /** Injects the fault, and resolves when it has ended and its subject is healthy again. */
  readonly inject: (scene: Scene, ms: number, round: number) => Promise<void>
  /** Whether a request may fail with this code while the fault lasts. */
  readonly explains: (failure: Load.Failure, scene: Scene) => boolean
}

const VALIDATOR_FAULTS = [
  'silent',
  'disconnect',
  'slow',
  'refuse',
  'wrong-signature',
  'garbage',
  'empty',
  'repeat',
] as const
/** Share of the validators that fail: with these, 67 % of the weight can still sign. */
const SHARE = 0.25
const REORG_BLOCKS = 4
const NOTHING = () => false
const UNAVAILABLE = ['503', '504', 'timeout']
/** Codes of requests to a process that ends or has ended. */
const GONE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'TypeError', ...UNAVAILABLE]

const validators: Fault = {
  name: 'validators fail',
  inject: async ({ networks: { devnet } }, ms, round) => {
    devnet.setFaults({ [VALIDATOR_FAULTS[round % VALIDATOR_FAULTS.length] as string]: SHARE })
    await sleep(ms)
    devnet.clearFaults()
  },
  explains: NOTHING,
}

const primaryDown: Fault = {
  name: 'node of the Primary Network unreachable',
  inject: ({ networks: { primary } }, ms) => whileDown(primary, ms),
  explains: NOTHING,
}

const evmDown: Fault = {
  name: 'EVM node unreachable',
  inject: ({ networks: { evm } }, ms) => whileDown(evm, ms),
  explains: ({ target, code }) => target === 'gateway' && ['502', ...UNAVAILABLE].includes(code),
}

const reorg: Fault = {
  name: 'EVM reorg',
  inject: ({ networks }) => networks.reorg(REORG_BLOCKS),
  explains: NOTHING,
}

const database: Fault = {
  name: 'database crash',
  inject: ({ networks }, ms) => networks.database.restart(ms / 4),
  // Signatures and calls to nodes do not need the database.
  // The JSON-RPC methods of the node report it as an error of the server.
  explains: ({ target, code }) =>
    target !== 'aggregator' && target !== 'gateway' && [...UNAVAILABLE, 'rpc -32000'].includes(code),
}

const ofService = (
  kind: Kinds.Kind,
  how: string,
  inject: (service: Service, ms: number) => Promise<void>,
): Fault => ({
  name: `${how} ${kind}`,
  inject: ({ disrupted }, ms) => inject(disrupted[kind], ms),
  explains: ({ service, code }, { disrupted }) => service === disrupted[kind].name && GONE.includes(code),
})

const kill = async (service: Service, ms: number) => {
  await service.end('SIGKILL')
  await sleep(ms / 4)
  await service.start()
}

const stop = async (service: Service, ms: number) => {
  await service.end('SIGTERM')
  await sleep(ms / 4)
  await service.start()
}

const pause = async (service: Service, ms: number) => {
  service.pause()
  await sleep(ms)
  service.resume()
}

/** All faults, in the order in which they are injected. */
export const FAULTS: readonly Fault[] = [
  validators,
  primaryDown,
  evmDown,
  reorg,
  ...Kinds.ALL.flatMap((kind) => [
    ofService(kind, 'killed', kill),
    ofService(kind, 'paused', pause),
    ofService(kind, 'stopped', stop),
    validators,
    reorg,
  ]),
  database,
]

async function whileDown(upstream: { isDown: boolean }, ms: number): Promise<void> {
  upstream.isDown = true
  await sleep(ms)
  upstream.isDown = false
}

/** The time in which a fault lasted, in milliseconds of `performance.now()`. */
export interface Injected {
  readonly fault: Fault
  readonly from: number
  /** Infinity while the fault lasts. */
  until: number
}

/** Time after a fault in which requests may still fail because of it. */
const GRACE_MS = 10_000

/** Returns the injected faults that lasted at some time between `from` and `until`. */
export function during(all: readonly Injected[], from: number, until: number): readonly Injected[] {
  return all.filter((one) => one.from <= until && one.until + GRACE_MS >= from)
}
