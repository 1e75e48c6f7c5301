import type { BoundPort } from '@firn/http'
import type { PeerServerOptions, Timers } from '@firn/p2p'
import { DevnetError } from './DevnetError.ts'
import type { State } from './State.ts'

const MAX_U64 = 2n ** 64n - 1n
const MAX_PORT = 65_535

/** An L1 that exists from the start. */
export interface L1Options {
  /** Names its chain; by default `l1-1`, `l1-2` and so on. */
  readonly name?: string
  /** Number of validators; by default 5, or all. */
  readonly validators?: number
  /**
   * Whether these are the first Primary Network validators (the default) or nodes of its own, which do not
   * run the C-chain.
   */
  readonly nodes?: 'primary' | 'own'
  /** In the order of its validators; by default 100 each. */
  readonly weights?: readonly bigint[]
  /** Positions of validators without balance: they cannot sign but count in the total weight. */
  readonly inactive?: readonly number[]
  /** The chain of its validator manager: its own (the default) or the C-chain. */
  readonly manager?: 'self' | 'c'
}

/** A node by the keys that it signs with. */
export interface Node {
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** 48 bytes. */
  readonly publicKey: Uint8Array
}

/** Options of a devnet. */
export interface DevnetOptions {
  /** Primary Network validators; by default 5. */
  readonly validators?: number
  /** nAVAX, in order; by default 2 * 10^15 each. */
  readonly weights?: readonly bigint[]
  /** Indices of validators that never registered a BLS key: their weight counts, but they cannot sign. */
  readonly keyless?: readonly number[]
  /** Running nodes that do not validate yet, for changing sets; by default 0. */
  readonly spares?: number
  /** Default 12345. */
  readonly networkId?: number
  /** Keys and ids depend only on this; by default `firn`. */
  readonly seed?: string
  readonly l1s?: readonly L1Options[]
  /**
   * Returns the initial P-chain, of which these nodes (in order) may be validators: one that another
   * component maintains, such as a recorded one. Cannot be combined with `l1s`; `weights` and `keyless` are
   * ignored.
   */
  readonly platform?: (nodes: readonly Node[]) => State
  /** Default 127.0.0.1. */
  readonly host?: string
  /** By default any free port. */
  readonly rpcPort?: BoundPort.Port
  /** Validator `i` listens at this port plus `i`; by default any free ports. */
  readonly stakingPort?: number
  /** Interval at which P-chain blocks are accepted automatically; by default never. */
  readonly blockIntervalMs?: number
  /** How long a block is too young to be proposed; default 30,000. */
  readonly proposedLagMs?: number
  /** Default 30,000. */
  readonly epochDurationMs?: number
  /** In the form that `Fault.assign` reads. */
  readonly faults?: unknown
  /** Clock and timers; by default those of the process. */
  readonly timers?: Timers.Timers
  /** How validators treat connections; by default a node's rules. */
  readonly server?: Pick<
    PeerServerOptions,
    'bls' | 'validatorKey' | 'admission' | 'version' | 'compatibility' | 'limits'
  >
}

/** An L1's options, completed with defaults. */
export type FullL1Options = Required<L1Options>

/**
 * Returns the L1s' options, completed with defaults.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function completeL1s(l1s: readonly L1Options[], validators: number): readonly FullL1Options[] {
  return l1s.map((l1, index) => {
    const { name = `l1-${index + 1}`, nodes = 'primary', manager = 'self', inactive = [] } = l1
    const count = l1.validators ?? (nodes === 'primary' ? Math.min(5, validators) : 5)
    if (!Number.isInteger(count) || count < 1)
      throw wrong(`${name}: expected at least one validator, got ${count}`)
    if (nodes === 'primary' && count > validators)
      throw wrong(`${name}: expected at most ${validators} validators, got ${count}`)
    const weights = Array.from({ length: count }, (_, position) => l1.weights?.[position] ?? 100n)
    if (inactive.some((position) => position >= count))
      throw wrong(`${name}: expected inactive positions below ${count}, got ${inactive.join(', ')}`)
    checkWeights(name, weights)
    return { name, nodes, manager, inactive, validators: count, weights }
  })
}

/**
 * Checks that a P-chain could hold these weights: each at least 1, in total at most 2^64 - 1.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkWeights(name: string, weights: readonly bigint[]): void {
  const refused = weights.find((weight) => weight < 1n || weight > MAX_U64)
  if (refused !== undefined) throw wrong(`${name}: expected each weight from 1 to ${MAX_U64}, got ${refused}`)
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total > MAX_U64) throw wrong(`${name}: expected weights of at most ${MAX_U64} in total, got ${total}`)
}

/**
 * Returns a valid number of validators.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkCount(name: string, value: number, minimum: number): number {
  if (Number.isInteger(value) && value >= minimum) return value
  throw wrong(`${name}: expected a whole number of at least ${minimum}, got ${value}`)
}

/**
 * Checks that a first port leaves room for one port per node; 0 is any free port.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkPort(name: string, port: number, nodes: number): void {
  const last = port === 0 ? 0 : port + nodes - 1
  if (Number.isInteger(port) && port >= 0 && last <= MAX_PORT) return
  throw wrong(`${name}: expected a port from 0 to ${MAX_PORT - nodes + 1}, got ${port}`)
}

function wrong(message: string): DevnetError {
  return new DevnetError('DEVNET_OPTIONS', message)
}
