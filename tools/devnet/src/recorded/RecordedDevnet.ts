import { SecretKey } from '@firn/bls'
import { CHAIN_ALIASES, type ChainAlias, Json } from '@firn/codec'
import { GenesisConfig, Upgrades } from '@firn/genesis'
import { BoundPort } from '@firn/http'
import { type PeerServerOptions, Timers } from '@firn/p2p'
import { DevnetError } from '../DevnetError.ts'
import * as Fault from '../Fault.ts'
import { createAddressSignatures } from '../internal/addressSignatures.ts'
import * as Bootstrap from '../internal/Bootstrap.ts'
import { createGossip } from '../internal/gossip.ts'
import { checkCount, checkPort } from '../Options.ts'
import { derive, fraction } from '../Seed.ts'
import { key } from '../State.ts'
import { createKeys } from '../Validator.ts'
import type { View } from './Answers.ts'
import { type BlockValidator, createBlockValidator } from './BlockValidator.ts'
import * as RecordedChain from './RecordedChain.ts'
import type { RecordedNetwork } from './RecordedNetwork.ts'
import { createRecordedApi } from './recordedApi.ts'

/** Options of a devnet that serves a recorded or generated network. */
export interface RecordedDevnetOptions {
  readonly network: RecordedNetwork
  /** Genesis of a custom network as JSON, for `GET /devnet/genesis.json`. */
  readonly genesisFile?: string | undefined
  /** Number of validators; defaults to 5. */
  readonly validators?: number
  /** Seed of the validators' keys; defaults to `firn`. */
  readonly seed?: string
  /** Host to listen on; defaults to 127.0.0.1. */
  readonly host?: string
  /** Port of the HTTP APIs; defaults to any free port. */
  readonly rpcPort?: BoundPort.Port
  /** Port of the first validator. Validator `i` listens on this port plus `i`. Defaults to any free ports. */
  readonly stakingPort?: number
  /**
   * P-chain height at the start. The other chains start with the blocks that were accepted before. Defaults to
   * the end of the recording.
   */
  readonly height?: number
  /** Interval in milliseconds at which the next block is accepted; by default none is. */
  readonly growIntervalMs?: number
  /** Faults in the form that `Fault.assign` reads. */
  readonly faults?: unknown
  readonly timers?: Timers.Timers
  /** Limits on the connections of validators; default to a node's limits. */
  readonly server?: Pick<PeerServerOptions, 'admission' | 'version' | 'compatibility' | 'limits'>
}

/** Heights of the last accepted blocks. */
export type Heights = Readonly<Record<ChainAlias, number>>

/** A running devnet that serves a recorded or generated network. */
export interface RecordedDevnet {
  readonly networkId: number
  /** Base URL without a path. It serves `/ext/info` and `/devnet`. */
  readonly rpcUrl: string
  readonly network: RecordedNetwork
  readonly validators: readonly BlockValidator[]
  readonly heights: Heights
  /** Values of a node's options `--bootstrap-ids` and `--bootstrap-ips`. */
  readonly bootstrap: { readonly ids: string; readonly ips: string }
  /** Genesis file of a custom network (JSON), if known. */
  readonly genesisFile: string | undefined
  /** Upgrade file (JSON), which custom networks need. */
  readonly upgradeFile: string
  /** Accepts the next blocks, in the recorded order over all chains, and returns the heights. */
  grow(blocks?: number): Heights
  /**
   * Assigns faults to validators. The faults have the form that `Fault.assign` reads. Validators that are not
   * mentioned keep their faults.
   * @throws DevnetError `DEVNET_OPTIONS` for faults that do not concern requests for blocks
   */
  setFaults(faults: unknown): void
  clearFaults(): void
  close(): Promise<void>
}

/**
 * Creates a devnet whose validators answer requests for the blocks of a network as nodes do. Resolves when all
 * its servers are listening.
 * @throws DevnetError `DEVNET_OPTIONS`; HttpError `HTTP_PORT`; P2pError `P2P_SOCKET` if a validator's port is
 * in use
 */
export async function createRecordedDevnet(options: RecordedDevnetOptions): Promise<RecordedDevnet> {
  const devnet = new RunningRecordedDevnet(options)
  try {
    await devnet.start()
  } catch (error) {
    await devnet.close()
    throw error
  }
  return devnet
}

class RunningRecordedDevnet implements RecordedDevnet {
  readonly network: RecordedNetwork
  readonly validators: BlockValidator[] = []
  readonly genesisFile: string | undefined
  rpcUrl = ''
  readonly #options: RecordedDevnetOptions
  readonly #seed: string
  readonly #timers: Timers.Timers
  readonly #count: number
  readonly #heights: Record<ChainAlias, number> = { P: 0, X: 0, C: 0 }
  /** Number of accepted blocks above height 0, over all chains. */
  #accepted = 0
  /** Forks by chain and height. */
  readonly #forks = new Map<string, RecordedChain.RecordedChain>()
  readonly #closers: (() => Promise<void> | void)[] = []

  constructor(options: RecordedDevnetOptions) {
    const { network, genesisFile, validators = 5, seed = 'firn', timers = Timers.SYSTEM } = options
    this.#options = options
    this.network = network
    this.genesisFile = genesisFile
    this.#seed = seed
    this.#timers = timers
    this.#count = checkCount('validators', validators, 1)
    checkPort('stakingPort', options.stakingPort ?? 0, this.#count)
    this.#growTo(options.height ?? network.chains.P.blocks.length - 1)
    if (options.height === undefined) this.grow(network.order.length)
  }

  #growTo(height: number): void {
    const last = this.network.chains.P.blocks.length - 1
    if (!Number.isInteger(height) || height < 0 || height > last)
      throw new DevnetError(
        'DEVNET_OPTIONS',
        `height: expected a P-chain height from 0 to ${last}, got ${height}`,
      )
    while (this.#heights.P < height) this.grow()
  }

  start(): Promise<void> {
    const { host = '127.0.0.1', rpcPort = 0 } = this.#options
    return BoundPort.use(rpcPort, { host, flag: '--rpc-port' }, (port) => this.#start(port))
  }

  async #start(port: BoundPort.BoundPort): Promise<void> {
    await this.#startValidators()
    const { faults, growIntervalMs } = this.#options
    if (faults !== undefined) this.setFaults(faults)
    const apiNode = {
      nodeId: derive(this.#seed, 'api-node').slice(0, 20),
      secretKey: SecretKey.generate(derive(this.#seed, 'api-node', 'bls')),
    }
    const listener = createRecordedApi(this, apiNode, () => this.#timers.now())
    this.#closers.push(() => listener.close(0))
    this.rpcUrl = await listener.listen(port)
    if (growIntervalMs === undefined) return
    const ticker = setInterval(() => this.grow(), growIntervalMs)
    this.#closers.push(() => clearInterval(ticker))
  }

  async #startValidators(): Promise<void> {
    const { host = '127.0.0.1', stakingPort = 0, server = {} } = this.#options
    const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
    const gossip = createGossip(() => BigInt(Math.floor(this.#timers.now() / 1000)), random)
    const addresses = createAddressSignatures()
    for (let index = 0; index < this.#count; index += 1) {
      const validator = await createBlockValidator({
        keys: createKeys(this.#seed, index, addresses),
        networkId: this.networkId,
        host,
        port: stakingPort === 0 ? 0 : stakingPort + index,
        timers: this.#timers,
        peersFor: gossip.peersFor,
        server,
        view: (chainId) => this.#view(chainId),
        fork: (chain, from) => this.#fork(chain, from),
        random,
        anyFault: (ordinal) => this.#anyFault(index, ordinal),
      })
      this.#closers.push(() => validator.close())
      gossip.add(validator, true)
      this.validators.push(validator)
    }
  }

  #view(chainId: Uint8Array): View | undefined {
    const alias = CHAIN_ALIASES.find((name) => key(this.network.chains[name].chainId) === key(chainId))
    return alias && { chain: this.network.chains[alias], height: this.#heights[alias], floor: 0 }
  }

  #fork(chain: RecordedChain.RecordedChain, from: number): RecordedChain.RecordedChain {
    const name = `${chain.alias} ${from}`
    const fork = this.#forks.get(name) ?? RecordedChain.fork(chain, from)
    this.#forks.set(name, fork)
    return fork
  }

  /** Draws the fault of a request. One in as many requests as there are faults is answered correctly. */
  #anyFault(index: number, ordinal: number): Fault.Fault | null {
    const kinds = Fault.kindsOf('blocks')
    const kind = kinds[Math.floor(fraction(this.#seed, 'any', index, ordinal) * kinds.length)] ?? 'any'
    return kind === 'any' ? null : Fault.parse(kind)
  }

  get networkId(): number {
    return this.network.rules.genesis.networkId
  }

  get heights(): Heights {
    return { ...this.#heights }
  }

  get bootstrap(): RecordedDevnet['bootstrap'] {
    return Bootstrap.of(this.validators)
  }

  get upgradeFile(): string {
    return Json.stringify(Upgrades.toJSON(this.network.rules.constants.upgrades))
  }

  grow(blocks = 1): Heights {
    for (const alias of this.network.order.slice(this.#accepted, this.#accepted + blocks)) {
      this.#heights[alias] += 1
      this.#accepted += 1
    }
    return this.heights
  }

  setFaults(faults: unknown): void {
    const assigned = Fault.assign(faults, this.validators.length, this.#seed)
    for (const fault of assigned.values()) Fault.assertConcerns(fault, 'blocks')
    for (const [index, fault] of assigned) this.validators[index]?.setFault(fault)
  }

  clearFaults(): void {
    for (const validator of this.validators) validator.setFault(null)
  }

  async close(): Promise<void> {
    await Promise.all(this.#closers.splice(0).map((close) => close()))
  }
}

/** Returns a genesis file from a configuration. */
export function genesisFileOf(config: GenesisConfig.GenesisConfig): string {
  return Json.stringify(GenesisConfig.toJSON(config))
}
