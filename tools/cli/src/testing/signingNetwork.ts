import { ProofOfPossession, SecretKey } from '@firn/bls'
import { Bytes, Id, Json } from '@firn/codec'
import { NodeAssignment } from '@firn/demo-network'
import { createDevnet, type Devnet, genesisFileOf, type Node } from '@firn/devnet'
import { Genesis, Networks, Upgrades } from '@firn/genesis'
import { NetworkGenesis } from '@firn/genesis-data'
import { Ledger, LedgerState } from '@firn/ledger'
import {
  type ChainHandlers,
  createPeerServer,
  Endpoint,
  Identity,
  limitAncestors,
  type PeerServer,
} from '@firn/p2p'
import { PlatformBlock, PlatformTx, type Stakeable, type UnsignedTx } from '@firn/txs'
import { L1Message, Payload, SignedMessage, ValidationId } from '@firn/warp'

const NETWORK_ID = 54_399
const STAKE = 2_000_000_000_000n
const NONE = new Uint8Array()
const fill = (byte: number, length: number) => new Uint8Array(length).fill(byte)

/** Owner of everything on the test chain. Its signatures are not checked, because the blocks are accepted. */
const OWNER = { locktime: 0n, threshold: 1, addresses: [fill(7, 20)] }
const TYPED = { type: 'OutputOwners', ...OWNER } as const
const L1_OWNER = { threshold: 1, addresses: OWNER.addresses }
const AUTHORIZATION = { type: 'Input', signatureIndices: [0] } as const
const MANAGER = fill(51, 20)

/** A network whose validators sign messages and serve the blocks of a P-chain with their own keys. */
export interface SigningNetwork {
  readonly devnet: Devnet
  readonly nodes: readonly Node[]
  readonly height: bigint
  readonly rules: { readonly genesis: Genesis.Genesis; readonly constants: Networks.Constants }
  /** Flags with which a command syncs this network. */
  readonly flags: { readonly ids: string; readonly ips: string; genesis: string; upgrades: string }
  /** Accepts a block with these transactions. Returns the id of the first one. */
  issue(...txs: UnsignedTx.UnsignedTx[]): Uint8Array
  /** Accepts an import of an output that the X-chain has exported. There is no X-chain. */
  importFromX(): void
  /** Returns a transaction with which a node starts to validate the Primary Network for some seconds. */
  join(node: number, seconds: number): UnsignedTx.UnsignedTx
  /** Advances the time to the end of a stake, and accepts its reward. */
  end(txId: Uint8Array, seconds: number): void
  /** Creates an L1 with a chain. */
  createL1(nodes: readonly number[], balance?: bigint): { subnetId: Uint8Array; chainId: Uint8Array }
  register(subnetId: Uint8Array, chainId: Uint8Array, node: number): Uint8Array
  setWeight(chainId: Uint8Array, validationId: Uint8Array, nonce: bigint, weight: bigint): void
  close(): Promise<void>
}

/** Starts a network in which the first `primaries` of `count` nodes validate the Primary Network from genesis. */
export async function startSigningNetwork(count: number, primaries: number): Promise<SigningNetwork> {
  const config = await NetworkGenesis.readConfig(Networks.LOCAL.networkId)
  const blocks: { readonly id: Uint8Array; readonly parentId: Uint8Array; readonly bytes: Uint8Array }[] = []
  let ledger: LedgerState.LedgerState | undefined
  let nodes: readonly Node[] = []
  let genesisFile = ''
  let rules: SigningNetwork['rules'] | undefined
  const platform = (all: readonly Node[]) => {
    nodes = all
    const stakers = all.slice(0, primaries).map(({ nodeId, publicKey }) => ({
      nodeId,
      rewardAddress: OWNER.addresses[0] as Uint8Array,
      delegationFee: 20_000,
      signer: {
        type: 'ProofOfPossession' as const,
        publicKey: publicKey as Uint8Array,
        proofOfPossession: fill(1, 96),
      },
    }))
    const own = { ...config, networkId: NETWORK_ID, initialStakers: stakers }
    genesisFile = genesisFileOf(own)
    const constants = Networks.of(NETWORK_ID)
    rules = { genesis: Genesis.build(own), constants }
    ledger = LedgerState.create(rules.genesis, constants, false, false)
    return stateOf()
  }
  const stateOf = () => NodeAssignment.toPlatformState(ledger as LedgerState.LedgerState, new Map())
  const devnet = await createDevnet({
    validators: count,
    networkId: NETWORK_ID,
    platform,
    proposedLagMs: 0,
    server: { chains: handlersOf(() => blocks) },
  })
  const state = ledger as unknown as LedgerState.LedgerState
  const { constants } = rules as unknown as SigningNetwork['rules']
  const tip = () => LedgerState.tip(state, 'P')
  const after = (seconds: number) => tip().time + BigInt(seconds)
  const accept = (body: object) => {
    const { blockId: parentId, height } = tip()
    const bytes = PlatformBlock.encode({ parentID: parentId, height: height + 1n, ...body } as never)
    LedgerState.commit(state, Ledger.apply(state, 'P', bytes))
    blocks.push({ id: Id.hash(bytes), parentId, bytes })
    devnet.follow(stateOf())
  }
  const wrap = (unsignedTx: UnsignedTx.UnsignedTx) => ({ unsignedTx, credentials: [] })
  const out = (amount: bigint): Stakeable.Out => ({
    assetID: state.rules.avaxAssetId,
    output: { type: 'TransferOutput', amount, ...OWNER },
  })
  const base = (spent = 0n) => {
    const fee = 1_000_000_000n
    for (const { utxo, chain, source } of state.tables.utxo.ordered()) {
      const { output, txID: txId, outputIndex, assetID: assetId } = utxo
      if (chain !== 'P' || source !== 'P' || output.type !== 'TransferOutput' || output.locktime > 0n)
        continue
      if (output.amount < spent + 2n * fee) continue
      const input = { type: 'TransferInput' as const, amount: output.amount, signatureIndices: [0] }
      return {
        networkID: NETWORK_ID,
        blockchainID: Id.EMPTY,
        outputs: [out(output.amount - spent - fee)],
        inputs: [{ txID: txId, outputIndex, assetID: assetId, input }],
        memo: NONE,
      }
    }
    throw new RangeError('no UTXO with a sufficient amount is left')
  }
  const issue = (...txs: UnsignedTx.UnsignedTx[]) => {
    accept({ type: 'BanffStandardBlock', time: after(1), txs: txs.map(wrap) })
    return PlatformTx.id(PlatformTx.encode(wrap(txs[0] as UnsignedTx.UnsignedTx)))
  }
  const signer = (node: number) => ({
    publicKey: (nodes[node] as Node).publicKey as Uint8Array,
    proofOfPossession: fill(1, 96),
  })
  const call = (chainId: Uint8Array, message: Parameters<typeof L1Message.encode>[0]) => {
    const payload = L1Message.encode(message)
    const bytes = Payload.encode({ type: 'AddressedCall', sourceAddress: MANAGER, payload })
    return SignedMessage.encode({
      unsigned: { networkID: NETWORK_ID, sourceChainID: chainId, payload: bytes },
      signature: { type: 'BitSetSignature', signers: fill(1, 1), signature: fill(1, 96) },
    })
  }
  return {
    devnet,
    nodes,
    rules: { genesis: (rules as unknown as SigningNetwork['rules']).genesis, constants },
    get height() {
      return tip().height
    },
    flags: {
      ids: devnet.validators
        .slice(0, primaries)
        .map(({ nodeIdText }) => nodeIdText)
        .join(','),
      ips: devnet.validators
        .slice(0, primaries)
        .map(({ address }) => Endpoint.format(address))
        .join(','),
      genesis: genesisFile,
      upgrades: Json.stringify(Upgrades.toJSON(constants.upgrades)),
    },
    issue,
    importFromX() {
      const input = { type: 'TransferInput' as const, amount: 5n, signatureIndices: [0] }
      const imported = { txID: fill(5, 32), outputIndex: 0, assetID: state.rules.avaxAssetId, input }
      issue({ type: 'ImportTx', ...base(), sourceChain: state.rules.chainIds.X, importedInputs: [imported] })
    },
    join: (node, seconds) => ({
      type: 'AddPermissionlessValidatorTx',
      ...base(STAKE),
      validator: {
        nodeID: (nodes[node] as Node).nodeId,
        start: after(1),
        end: after(1 + seconds),
        weight: STAKE,
      },
      subnetID: Id.EMPTY,
      signer: { type: 'ProofOfPossession', ...signer(node) },
      stake: [out(STAKE)],
      validationRewardsOwner: TYPED,
      delegationRewardsOwner: TYPED,
      shares: 100_000,
    }),
    end(txId, seconds) {
      const time = after(seconds)
      accept({
        type: 'BanffProposalBlock',
        time,
        txs: [],
        tx: wrap({ type: 'RewardValidatorTx', txID: txId }),
      })
      accept({ type: 'BanffCommitBlock', time })
    },
    createL1(indices, balance = 10_000_000_000n) {
      const subnetId = issue({ type: 'CreateSubnetTx', ...base(), owner: TYPED })
      const chainId = issue({
        type: 'CreateChainTx',
        ...base(),
        subnetID: subnetId,
        chainName: 'game',
        vmID: fill(9, 32),
        fxIDs: [],
        genesisData: NONE,
        subnetAuthorization: AUTHORIZATION,
      })
      const validators = indices
        .map((node) => ({
          nodeID: (nodes[node] as Node).nodeId,
          weight: 10n,
          balance,
          signer: signer(node),
          remainingBalanceOwner: L1_OWNER,
          deactivationOwner: L1_OWNER,
        }))
        .toSorted((a, b) => Bytes.compare(a.nodeID, b.nodeID))
      issue({
        type: 'ConvertSubnetToL1Tx',
        ...base(balance * BigInt(indices.length)),
        subnetID: subnetId,
        chainID: chainId,
        address: MANAGER,
        validators,
        subnetAuthorization: AUTHORIZATION,
      })
      return { subnetId, chainId }
    },
    register(subnetId, chainId, node) {
      const message = {
        type: 'RegisterL1Validator',
        subnetID: subnetId,
        nodeID: (nodes[node] as Node).nodeId,
        blsPublicKey: (nodes[node] as Node).publicKey as Uint8Array,
        expiry: after(100),
        remainingBalanceOwner: L1_OWNER,
        disableOwner: { threshold: 0, addresses: [] },
        weight: 10n,
      } as const
      const balance = 10_000_000_000n
      issue({
        type: 'RegisterL1ValidatorTx',
        ...base(balance),
        balance,
        proofOfPossession: fill(1, 96),
        message: call(chainId, message),
      })
      return ValidationId.registered(L1Message.encode(message))
    },
    setWeight(chainId, validationId, nonce, weight) {
      const message = { type: 'L1ValidatorWeight', validationID: validationId, nonce, weight } as const
      issue({ type: 'SetL1ValidatorWeightTx', ...base(), message: call(chainId, message) })
    },
    close: () => devnet.close(),
  }
}

interface Block {
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  readonly bytes: Uint8Array
}

/** Returns the answers of a node that has accepted the blocks. */
function handlersOf(blocks: () => readonly Block[]): ChainHandlers {
  const isPlatform = (chainId: Uint8Array) => Bytes.isZero(chainId)
  const heightOf = (id: Uint8Array) => {
    const place = blocks().findIndex((block) => Bytes.equals(block.id, id))
    return place < 0 ? undefined : place + 1
  }
  return {
    acceptedFrontier({ chainId }) {
      const last = blocks().at(-1)
      return isPlatform(chainId) && last ? { containerId: last.id } : undefined
    },
    accepted: ({ containerIds }) => ({
      containerIds: containerIds.filter((id) => heightOf(id) !== undefined),
    }),
    ancestors({ containerId }) {
      const height = heightOf(containerId) ?? 0
      const newestFirst = blocks().slice(0, height).toReversed()
      return { containers: limitAncestors(newestFirst.map(({ bytes }) => bytes)) }
    },
    pullQuery({ chainId }) {
      const last = blocks().at(-1)
      if (!isPlatform(chainId) || last === undefined) return undefined
      const height = BigInt(blocks().length)
      return {
        preferredId: last.id,
        preferredIdAtHeight: last.id,
        acceptedId: last.id,
        acceptedHeight: height,
      }
    },
  }
}

/** Starts a peer that answers requests for blocks with garbage, or not at all. */
export function startLiar(network: SigningNetwork, kind: 'garbage' | 'silent'): Promise<PeerServer> {
  const secretKey = SecretKey.random()
  const blsSign = (message: Uint8Array) => ProofOfPossession.sign(secretKey, message).compressed
  const id = fill(77, 32)
  const garbage: ChainHandlers = {
    acceptedFrontier: () => ({ containerId: id }),
    accepted: ({ containerIds }) => ({ containerIds }),
    ancestors: () => ({ containers: [fill(78, 500)] }),
    pullQuery: () => ({ preferredId: id, preferredIdAtHeight: id, acceptedId: id, acceptedHeight: 9_999n }),
  }
  return createPeerServer({
    networkId: network.devnet.networkId,
    identity: Identity.create({ blsSign }),
    chains: kind === 'garbage' ? garbage : {},
  })
}
