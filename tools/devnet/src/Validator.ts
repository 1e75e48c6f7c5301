import { SecretKey, Signature } from '@firn/bls'
import { NodeId } from '@firn/codec'
import { StakingCertificate } from '@firn/keys'
import {
  type ClaimedIpPort,
  createPeerServer,
  type Endpoint,
  HandlerPrefix,
  Identity,
  type InboundRequest,
  type Peer,
  type PeerServer,
  type PeerServerOptions,
  type Reply,
  type Timers,
} from '@firn/p2p'
import { LRUCache } from 'lru-cache'
import { type Decision, decide, type Knowledge } from './Acp118Handler.ts'
import { DevnetError } from './DevnetError.ts'
import { assertConcerns, type Fault, type SigningFault } from './Fault.ts'
import type { AddressSignatures } from './internal/addressSignatures.ts'
import { answerBody, type Signer } from './internal/FaultyAnswer.ts'
import { derive } from './Seed.ts'
import { type Chain, key } from './State.ts'

/** The keys of a validator, derived from the network's seed and the validator's index. */
export interface ValidatorKeys {
  readonly index: number
  readonly identity: Identity.Identity
  readonly secretKey: SecretKey.SecretKey
  /** Compressed BLS key, 48 bytes. */
  readonly publicKey: Uint8Array
}

/** A validator that listens for connections. */
export interface Validator {
  readonly index: number
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** NodeID as text (`NodeID-…`). */
  readonly nodeIdText: string
  /** Compressed BLS key, 48 bytes. */
  readonly publicKey: Uint8Array
  readonly address: Endpoint.Endpoint
  readonly claim: ClaimedIpPort.ClaimedIpPort
  readonly fault: SigningFault | null
  /** Numbers of requests and responses since the start. */
  readonly counters: Readonly<ValidatorCounters>
  /** Returns the currently connected peers. */
  peers(): readonly Peer[]
  /**
   * Changes the fault of the validator; null clears it.
   * @throws DevnetError `DEVNET_OPTIONS` if the fault does not concern signature requests
   */
  setFault(fault: Fault | null): void
  /** Closes all connections of the validator. Peers can connect again. */
  disconnect(): void
  close(): Promise<void>
}

/** Counters of one validator. */
export interface ValidatorCounters {
  requests: number
  signed: number
  refused: number
}

/** Options of a validator, and functions that return data of its network. */
export interface ValidatorOptions {
  readonly keys: ValidatorKeys
  readonly networkId: number
  readonly seed: string
  readonly host: string
  readonly port: number
  readonly timers: Timers.Timers
  /**
   * Returns the chain if the node runs it, and undefined otherwise. The validator does not answer requests
   * for a chain that the node does not run.
   */
  readonly chain: (chainId: Uint8Array, nodeId: Uint8Array) => Chain | undefined
  readonly knowledge: (chain: Chain, nodeId: Uint8Array) => Knowledge
  readonly peersFor: NonNullable<PeerServerOptions['peersFor']>
  readonly trackedSubnets: readonly Uint8Array[]
  /** Answers requests for blocks, and receives pushed transactions; without it, the validator ignores both. */
  readonly blocks?: Pick<PeerServerOptions, 'chains' | 'onGossip'> | undefined
  readonly server: Pick<
    PeerServerOptions,
    'bls' | 'validatorKey' | 'admission' | 'version' | 'compatibility' | 'limits' | 'chains'
  >
}

type SignDecision = Extract<Decision, { readonly kind: 'sign' }>

/**
 * Number of signatures that a node of an EVM chain caches. P-chain signatures use a cache of the same size.
 */
const CACHED_SIGNATURES = 500

/**
 * Start of the validity of certificates, which lasts 100 years. The time is fixed, so that a seed always
 * results in the same NodeIDs.
 */
const CERTIFICATE_TIME = new Date(Date.UTC(2026, 0, 1))

/** Creates the keys of the validator with an index. The same seed and index result in the same bytes. */
export function createKeys(seed: string, index: number, addresses: AddressSignatures): ValidatorKeys {
  const { der, privateKey } = StakingCertificate.create({
    seed: derive(seed, 'staking', index),
    now: CERTIFICATE_TIME,
  })
  const secretKey = SecretKey.generate(derive(seed, 'bls', index))
  const blsSign = (message: Uint8Array) => addresses.sign({ secretKey, message })
  const identity = Identity.create({ certificate: der, privateKey, blsSign })
  return { index, identity, secretKey, publicKey: SecretKey.publicKey(secretKey).compressed }
}

/** Creates a validator. Resolves when the validator listens. */
export async function createValidator(options: ValidatorOptions): Promise<Validator> {
  const validator = new ListeningValidator(options)
  await validator.listen()
  return validator
}

class ListeningValidator implements Validator {
  readonly #options: ValidatorOptions
  readonly #signatures = new LRUCache<string, Uint8Array>({ max: CACHED_SIGNATURES })
  #server: PeerServer | undefined
  readonly counters: ValidatorCounters = { requests: 0, signed: 0, refused: 0 }
  fault: SigningFault | null = null

  constructor(options: ValidatorOptions) {
    this.#options = options
  }

  async listen(): Promise<void> {
    const { keys, networkId, host, port, timers, trackedSubnets, peersFor, blocks, server } = this.#options
    this.#server = await createPeerServer({
      ...server,
      ...blocks,
      networkId,
      identity: keys.identity,
      host,
      port,
      timers,
      trackedSubnets,
      allSubnets: true,
      peersFor,
      onAppRequest: (peer, request, reply) => this.#onRequest(peer, request, reply),
    })
  }

  get #listening(): PeerServer {
    if (this.#server !== undefined) return this.#server
    throw new DevnetError('DEVNET_UNKNOWN', 'the validator is not listening')
  }

  get index(): number {
    return this.#options.keys.index
  }

  get nodeId(): Uint8Array {
    return this.#options.keys.identity.nodeId
  }

  get nodeIdText(): string {
    return NodeId.format(this.nodeId)
  }

  get publicKey(): Uint8Array {
    return this.#options.keys.publicKey
  }

  get address(): Endpoint.Endpoint {
    return this.#listening.address
  }

  get claim(): ClaimedIpPort.ClaimedIpPort {
    return this.#listening.claim
  }

  peers(): readonly Peer[] {
    return this.#listening.peers()
  }

  setFault(fault: Fault | null): void {
    if (fault !== null) assertConcerns(fault, 'signatures')
    this.fault = fault
  }

  disconnect(): void {
    for (const peer of this.peers()) peer.destroy()
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  /**
   * Returns the inputs of a faulty signature. All validators use the same unrelated key, so that the points of a
   * cancelling pair add up to zero.
   */
  #signer(decision: SignDecision): Signer {
    const { keys, seed } = this.#options
    return {
      index: keys.index,
      unrelatedKey: () => SecretKey.generate(derive(seed, 'stray')),
      sign: (message) =>
        message === decision.message
          ? this.#sign(decision)
          : Signature.sign(keys.secretKey, message).compressed,
    }
  }

  #sign({ message, messageId }: SignDecision): Uint8Array {
    const known = this.#signatures.get(key(messageId))
    if (known !== undefined) return known
    const signature = Signature.sign(this.#options.keys.secretKey, message).compressed
    this.#signatures.set(key(messageId), signature)
    return signature
  }

  #onRequest(peer: Peer, request: InboundRequest, reply: Reply): void {
    const chain = this.#options.chain(request.chainId, this.nodeId)
    if (chain === undefined) return
    // EVM chains reserve even request ids for another protocol, and drop requests that they cannot decode.
    const isEvm = chain.vm === 'coreth' || chain.vm === 'subnet-evm'
    if (isEvm && request.requestId % 2 === 0) return
    this.counters.requests += 1
    const body = HandlerPrefix.strip(request.bytes, HandlerPrefix.SIGNATURE_REQUEST)
    if (body === undefined || chain.vm === 'avm') {
      reply.error(-2, 'unregistered handler')
      return
    }
    this.#act(peer, request, reply, () => this.#decide(body, chain))
  }

  #decide(body: Uint8Array, chain: Chain): Decision {
    const knowledge = this.#options.knowledge(chain, this.nodeId)
    return decide(body, chain, {
      ...knowledge,
      isCached: (messageId) => this.#signatures.has(key(messageId)),
    })
  }

  #act(peer: Peer, request: InboundRequest, reply: Reply, decision: () => Decision): void {
    const { fault } = this
    switch (fault?.kind) {
      case 'silent':
        return
      case 'disconnect':
        peer.destroy()
        return
      case 'refuse':
        this.counters.refused += 1
        reply.error(fault.code, fault.message)
        return
      case 'slow':
        this.#options.timers.setTimer(() => this.#answer(peer, request, reply, decision(), null), fault.ms)
        return
      default:
        this.#answer(peer, request, reply, decision(), fault)
    }
  }

  #answer(
    peer: Peer,
    request: InboundRequest,
    reply: Reply,
    decision: Decision,
    fault: SigningFault | null,
  ): void {
    if (decision.kind === 'refuse') {
      this.counters.refused += 1
      reply.error(decision.code, decision.text)
      return
    }
    this.counters.signed += 1
    const body = answerBody(fault, this.#signer(decision), decision.message)
    if (fault?.kind === 'garbage') peer.sendFrame(Uint8Array.of(0xff, 0x01, 0x02, 0x03, 0x04))
    reply.response(body)
    const extra = fault?.kind === 'repeat' ? fault.times - 1 : 0
    const { chainId, requestId } = request
    for (let sent = 0; sent < extra; sent += 1) {
      peer.send({ case: 'appResponse', value: { chainId, requestId, appBytes: body } })
    }
  }
}
