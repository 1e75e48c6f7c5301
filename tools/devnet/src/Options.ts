import type { BoundPort } from '@firn/http'
import type { PeerServerOptions, Timers } from '@firn/p2p'
import { DevnetError } from './DevnetError.ts'
import type { State } from './State.ts'

const MAX_U64 = 2n ** 64n - 1n
const MAX_PORT = 65_535

/** An L1 that exists from the start. */
export interface L1Options {
  /** Names its chain; `l1-1`, `l1-2` and so on if not given. */
  readonly name?: string
  /** How many validators it has; 5, or all, if not given. */
  readonly validators?: number
  /** Whether these are the first Primary Network validators (the default) or nodes of its own, which don't run the C-chain. */
  readonly nodes?: 'primary' | 'own'
  /** In the order of its validators; 100 each if not given. */
  readonly weights?: readonly bigint[]
  /** Positions of validators without balance: they can't sign and yet count in the total weight. */
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

/** How a devnet is made. */
export interface DevnetOptions {
  /** Primary Network validators; 5 if not given. */
  readonly validators?: number
  /** nAVAX, in order; 2 * 10^15 each if not given. */
  readonly weights?: readonly bigint[]
  /** Indices of validators that never registered a BLS key: their weight counts, they can't sign. */
  readonly keyless?: readonly number[]
  /** Nodes that run and validate nothing yet, for sets that change; 0 if not given. */
  readonly spares?: number
  /** 12345 if not given. */
  readonly networkId?: number
  /** Keys and ids depend on this only; `firn` if not given. */
  readonly seed?: string
  readonly l1s?: readonly L1Options[]
  /**
   * The P-chain to begin with, of which these nodes (in their order) may be validators: of a chain that another keeps, such as a
   * recorded one. Not together with `l1s`; `weights` and `keyless` are not looked at.
   */
  readonly platform?: (nodes: readonly Node[]) => State
  /** 127.0.0.1 if not given. */
  readonly host?: string
  /** Any free port if not given. */
  readonly rpcPort?: BoundPort.Port
  /** Validator `i` listens at this port plus `i`; any free ports if not given. */
  readonly stakingPort?: number
  /** How often a P-chain block is accepted by itself; never if not given. */
  readonly blockIntervalMs?: number
  /** How long a block is too young to be proposed; 30,000 if not given. */
  readonly proposedLagMs?: number
  /** 30,000 if not given. */
  readonly epochDurationMs?: number
  /** As `Fault.assign` takes them. */
  readonly faults?: unknown
  /** Clock and timers; the process's if not given. */
  readonly timers?: Timers.Timers
  /** How validators treat connections; a node's rules if not given. */
  readonly server?: Pick<
    PeerServerOptions,
    'bls' | 'validatorKey' | 'admission' | 'version' | 'compatibility' | 'limits'
  >
}

/** An L1's options with nothing left open. */
export type FullL1Options = Required<L1Options>

/**
 * Returns the L1s' options with nothing left open.
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
 * Accepts weights that a P-chain could hold: each at least 1, together at most 2^64 - 1.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkWeights(name: string, weights: readonly bigint[]): void {
  const refused = weights.find((weight) => weight < 1n || weight > MAX_U64)
  if (refused !== undefined) throw wrong(`${name}: expected each weight from 1 to ${MAX_U64}, got ${refused}`)
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total > MAX_U64) throw wrong(`${name}: expected weights of at most ${MAX_U64} together, got ${total}`)
}

/**
 * Returns a number of validators if it is one.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkCount(name: string, value: number, minimum: number): number {
  if (Number.isInteger(value) && value >= minimum) return value
  throw wrong(`${name}: expected a whole number of at least ${minimum}, got ${value}`)
}

/**
 * Accepts a first port after which as many more as there are nodes still exist; 0 is any free one.
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
