import { ProofOfPossession, SecretKey } from '@firn/bls'
import { type ChainAlias, Hex, Id } from '@firn/codec'
import { type GenesisConfig, Networks } from '@firn/genesis'
import { NetworkGenesis } from '@firn/genesis-data'
import { BoundPort } from '@firn/http'
import { ClaimedIpPort, Timers } from '@firn/p2p'
import { Payload, UnsignedMessage } from '@firn/warp'
import { createAdmin } from './Admin.ts'
import type { BlockBuilder } from './building/BlockBuilder.ts'
import { type ChainService, createChainService } from './building/ChainService.ts'
import { createChainApi } from './building/chainApi.ts'
import * as DevnetGenesis from './building/genesis.ts'
import { startL1s } from './building/startL1s.ts'
import type { Change } from './Change.ts'
import type { AcceptMessage, Devnet, DevnetValidator } from './Devnet.ts'
import { DevnetError } from './DevnetError.ts'
import * as Fault from './Fault.ts'
import { createL1, type L1, primaryChains } from './Genesis.ts'
import { createAddressSignatures } from './internal/addressSignatures.ts'
import * as Bootstrap from './internal/Bootstrap.ts'
import { createEvmLedgers } from './internal/evmLedgers.ts'
import { createGossip } from './internal/gossip.ts'
import type { Network } from './internal/network.ts'
import { createNodeApi } from './internal/nodeApi.ts'
import { type Plan, plan } from './internal/plan.ts'
import { createProofs } from './internal/proofs.ts'
import { GENESIS_AGE_MS, startTimeline } from './internal/startTimeline.ts'
import { chainOf, findChain, trackedByNodeId, trackedL1s } from './internal/tracking.ts'
import { verifyMessage } from './internal/verifyMessage.ts'
import * as LedgerPlatform from './LedgerPlatform.ts'
import type { DevnetOptions } from './Options.ts'
import { derive } from './Seed.ts'
import { key, type State } from './State.ts'
import { stateAt, type Timeline } from './Timeline.ts'
import { createKeys, createValidator, type Validator, type ValidatorKeys } from './Validator.ts'

/** Maximum number of validators for which addresses are signed on the main thread. */
const MAX_UNPREPARED = 64

/**
 * Creates a network. Resolves when all its servers are listening.
 * @throws DevnetError `DEVNET_OPTIONS`; HttpError `HTTP_PORT`; P2pError `P2P_SOCKET` if a validator's port is
 * in use
 */
export async function createDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const local = options.buildBlocks ? await NetworkGenesis.readConfig(Networks.LOCAL.networkId) : undefined
  const devnet = new RunningDevnet(options, local)
  try {
    await devnet.start()
  } catch (error) {
    await devnet.close()
    throw error
  }
  return devnet
}

class RunningDevnet implements Devnet {
  readonly networkId: number
  readonly chains: Devnet['chains']
  readonly l1s: readonly L1[]
  readonly timeline: Timeline
  readonly validators: DevnetValidator[] = []
  rpcUrl = ''
  readonly #options: DevnetOptions
  readonly #seed: string
  readonly #timers: Timers.Timers
  /** Milliseconds by which the P-chain's time is ahead of its clock. */
  #passedMs = 0
  readonly #plan: Plan
  readonly #keys: readonly ValidatorKeys[]
  readonly #addresses = createAddressSignatures()
  readonly #ledgers = createEvmLedgers(
    () => this.state,
    (text) => findChain(this.state, this.l1s, text),
  )
  readonly #transactions = new Map<string, Uint8Array>()
  readonly #proofOf: Network['proofOfPossession']
  /** The chains of a devnet that builds blocks. */
  readonly #service: ChainService | undefined
  readonly #closers: (() => Promise<void> | void)[] = []

  /** @param local the local network's genesis, from which the genesis of a devnet that builds blocks is made */
  constructor(options: DevnetOptions, local: GenesisConfig.GenesisConfig | undefined) {
    this.#options = options
    this.networkId = options.networkId ?? 12345
    this.#seed = options.seed ?? 'firn'
    this.#timers = options.timers ?? Timers.SYSTEM
    this.#plan = plan(options)
    this.#keys = Array.from({ length: this.#plan.total }, (_, index) =>
      createKeys(this.#seed, index, this.#addresses),
    )
    this.#service = local && this.#createService(local)
    const primary = primaryChains(this.networkId, this.#seed, this.#service?.builder.state.rules.chainIds)
    const l1s =
      this.#service === undefined
        ? this.#plan.l1s.map((l1) => createL1(this.#seed, l1.options, l1.nodes, this.#keys, primary.c))
        : []
    const { builder } = this.#service ?? {}
    this.timeline = startTimeline({
      options:
        builder === undefined
          ? options
          : { ...options, platform: () => LedgerPlatform.stateOf(builder.state) },
      networkId: this.networkId,
      primary,
      plan: this.#plan,
      l1s,
      keys: this.#keys,
      now: () => this.nowMs(),
    })
    this.#proofOf = createProofs(this.#keys)
    this.l1s =
      builder === undefined
        ? l1s
        : startL1s(builder, {
            plans: this.#plan.l1s,
            seed: this.#seed,
            keys: this.#keys,
            c: primary.c,
            startMs: this.nowMs() - GENESIS_AGE_MS,
          })
    this.chains = { ...primary, l1s: this.l1s.map(({ chain }) => chain) }
    this.#ledgers.addNew()
  }

  #createService(local: GenesisConfig.GenesisConfig): ChainService {
    const { proposedLagMs, epochDurationMs, heliconTime, buildDelayMs = 250 } = this.#options
    const keys = this.#keys.slice(0, this.#plan.primaries)
    const validators = keys.map(({ identity: { nodeId }, publicKey, secretKey }) => {
      return { nodeId, publicKey, proofOfPossession: ProofOfPossession.sign(secretKey).compressed }
    })
    const startTime = BigInt(Math.floor((this.nowMs() - GENESIS_AGE_MS) / 1_000))
    const { networkId } = this
    const service = createChainService({
      genesis: DevnetGenesis.create({
        ...{ local, networkId, validators, startTime },
        ...{ epochDurationMs, heliconTime },
      }),
      proposers: keys.map(({ identity }) => identity),
      proposedLagMs,
      buildDelayMs,
      nowMs: () => this.nowMs(),
      timers: this.#timers,
      verifyMessage: (message, height) => verifyMessage(message, stateAt(this.timeline, height)),
      onAccepted: ({ chain, block: { acceptedAt = 0n } }) => {
        if (chain !== 'P') return
        this.timeline.follow(LedgerPlatform.stateOf(service.builder.state), Number(acceptedAt / 1_000_000n))
        this.#ledgers.addNew()
      },
    })
    this.#closers.push(() => service.close())
    return service
  }

  start(): Promise<void> {
    const { host = '127.0.0.1', rpcPort = 0 } = this.#options
    return BoundPort.use(rpcPort, { host, flag: '--rpc-port' }, (port) => this.#start(port))
  }

  async #start(port: BoundPort.BoundPort): Promise<void> {
    await this.#startValidators()
    const network = this.#network()
    const admin = createAdmin(this)
    const listener =
      this.#service === undefined
        ? createNodeApi(network, [...this.timeline.tip.chains.values()], admin)
        : createChainApi(network, this.#service, admin)
    this.#closers.push(() => listener.close(0))
    this.rpcUrl = await listener.listen(port)
    if (this.#options.faults !== undefined) this.setFaults(this.#options.faults)
    const { blockIntervalMs } = this.#options
    if (blockIntervalMs === undefined) return
    const ticker = setInterval(() => this.advance(), blockIntervalMs)
    this.#closers.push(() => clearInterval(ticker))
  }

  async #startValidators(): Promise<void> {
    const gossip = createGossip(
      () => BigInt(Math.floor(this.#timers.now() / 1000)),
      (length) => crypto.getRandomValues(new Uint8Array(length)),
    )
    const tracked = trackedL1s(this.l1s)
    for (const keys of this.#keys) {
      const subnets = (tracked.get(keys.index) ?? []).map(({ subnetId }) => subnetId)
      const validator = await this.#startValidator(keys, subnets, gossip.peersFor)
      gossip.add(validator, keys.index < this.#plan.primaries)
      this.#closers.push(() => validator.close())
      this.validators.push(this.#withWeight(validator))
    }
    if (this.validators.length > MAX_UNPREPARED) this.#prepareHandshakes()
  }

  #prepareHandshakes(): void {
    const jobs = this.validators.map(({ index, claim }) => {
      const { secretKey } = this.#keys[index] as ValidatorKeys
      return { secretKey, message: ClaimedIpPort.signedBytes(claim) }
    })
    this.#addresses.prepare(jobs)
    this.#closers.push(() => this.#addresses.close())
  }

  #startValidator(
    keys: ValidatorKeys,
    trackedSubnets: readonly Uint8Array[],
    peersFor: Parameters<typeof createValidator>[0]['peersFor'],
  ): Promise<Validator> {
    const { host = '127.0.0.1', stakingPort = 0, server = {} } = this.#options
    return createValidator({
      keys,
      networkId: this.networkId,
      seed: this.#seed,
      host,
      port: stakingPort === 0 ? 0 : stakingPort + keys.index,
      timers: this.#timers,
      trackedSubnets,
      peersFor,
      server,
      blocks: this.#service,
      chain: (chainId) => chainOf(this.state, this.#plan, chainId, keys),
      knowledge: (chain) => ({ state: this.state, evm: this.#ledgers.view(chain, keys.index) }),
    })
  }

  #withWeight(validator: Validator): DevnetValidator {
    const weight = () => this.state.primary.get(key(validator.nodeId))?.weight ?? 0n
    return Object.defineProperty(validator, 'weight', { get: weight }) as DevnetValidator
  }

  #network(): Network {
    const apiNode = {
      nodeId: derive(this.#seed, 'api-node').slice(0, 20),
      secretKey: SecretKey.generate(derive(this.#seed, 'api-node', 'bls')),
    }
    return {
      networkId: this.networkId,
      timeline: this.timeline,
      apiNode,
      nowMs: () => this.nowMs(),
      epochDurationMs: this.#options.epochDurationMs,
      validators: () => this.validators,
      trackedSubnets: () => trackedByNodeId(this.l1s, this.validators),
      findChain: (text) => findChain(this.state, this.l1s, text),
      transaction: (txId) => this.#transactions.get(key(txId)),
      proofOfPossession: this.#proofOf,
    }
  }

  get state(): State {
    return this.timeline.tip
  }

  get builder(): BlockBuilder | undefined {
    return this.#service?.builder
  }

  get bootstrap(): Devnet['bootstrap'] {
    return Bootstrap.of(this.validators)
  }

  issue(chain: ChainAlias, bytes: Uint8Array): Uint8Array {
    if (this.#service !== undefined) return this.#service.issue(chain, bytes)
    throw new DevnetError('DEVNET_CHANGE', 'this devnet builds no blocks; create it with buildBlocks')
  }

  acceptMessage(message: AcceptMessage): Uint8Array {
    const { chain } = this.#ledgers.find(message.chain)
    const { sourceAddress = new Uint8Array(20).fill(0x11) } = message
    const payload = Payload.encode({ type: 'AddressedCall', sourceAddress, payload: message.payload })
    const bytes = UnsignedMessage.encode({ networkID: this.networkId, sourceChainID: chain.id, payload })
    this.acceptUnsigned(chain, bytes, message.nodes)
    return bytes
  }

  acceptUnsigned(chain: AcceptMessage['chain'], message: Uint8Array, nodes?: readonly number[]): void {
    this.#ledgers.find(chain).ledger.acceptMessage(Id.hash(message), nodes)
  }

  acceptBlock(chain: AcceptMessage['chain'], hash: Uint8Array, nodes?: readonly number[]): void {
    if (hash.length !== 32)
      throw new DevnetError('DEVNET_OPTIONS', `expected a block hash of 32 bytes, got ${Hex.encode(hash)}`)
    this.#ledgers.find(chain).ledger.acceptBlock(hash, nodes)
  }

  setUptime(chain: AcceptMessage['chain'], validationId: Uint8Array, seconds: bigint): void {
    this.#ledgers.find(chain).ledger.setUptime(validationId, seconds)
  }

  advance(changes: readonly Change[] = []): State {
    if (this.#service !== undefined) return this.#buildBlocks(this.#service, changes)
    const state = this.timeline.advance(changes, this.nowMs())
    this.#ledgers.addNew()
    return state
  }

  #buildBlocks(service: ChainService, changes: readonly Change[]): State {
    if (changes.length > 0)
      throw new DevnetError('DEVNET_CHANGE', 'the P-chain of this devnet changes by transactions; issue one')
    service.build()
    return this.state
  }

  nowMs(): number {
    const { now = this.#timers.now } = this.#options
    return now() + this.#passedMs
  }

  passTime(ms: number): void {
    this.#passedMs += ms
  }

  follow(state: State): void {
    this.timeline.follow(state, this.nowMs())
    this.#ledgers.addNew()
  }

  acceptTransaction(bytes: Uint8Array): Uint8Array {
    const id = Id.hash(bytes)
    this.#transactions.set(key(id), bytes)
    return id
  }

  setFaults(faults: unknown): void {
    const assigned = Fault.assign(faults, this.validators.length, this.#seed)
    for (const fault of assigned.values()) Fault.assertConcerns(fault, 'signatures')
    for (const [index, fault] of assigned) this.#setFault(index, fault)
  }

  #setFault(index: number, fault: Fault.Fault): void {
    this.validators[index]?.setFault(fault)
    if (fault.kind === 'cancelling')
      this.validators[fault.partner]?.setFault({ kind: 'cancelling', partner: index })
  }

  clearFaults(): void {
    for (const validator of this.validators) validator.setFault(null)
  }

  async warm(): Promise<void> {
    await Promise.all([this.#addresses.prepared(), this.#service?.store.open()])
  }

  async close(): Promise<void> {
    await Promise.all(this.#closers.splice(0).map((close) => close()))
  }
}
