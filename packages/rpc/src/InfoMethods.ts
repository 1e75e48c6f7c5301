import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'
import { Signer } from './Signer.ts'

const none = Schema.struct({})

/** The fees that `info.getTxFee` returns, in nAVAX. */
export const TxFees = Schema.struct({
  txFee: Schema.u64,
  createAssetTxFee: Schema.u64,
  createSubnetTxFee: Schema.u64,
  transformSubnetTxFee: Schema.u64,
  createBlockchainTxFee: Schema.u64,
  addPrimaryNetworkValidatorFee: Schema.u64,
  addPrimaryNetworkDelegatorFee: Schema.u64,
  addSubnetValidatorFee: Schema.u64,
  addSubnetDelegatorFee: Schema.u64,
})

/**
 * A peer of the node. `publicIP` is the address that the peer announced for incoming connections. `ip` is the
 * remote address of the socket.
 */
export const Peer = Schema.struct({
  ip: Schema.string,
  publicIP: Schema.string,
  nodeID: Schema.nodeId,
  version: Schema.string,
  upgradeTime: Schema.integer,
  lastSent: Schema.time,
  lastReceived: Schema.time,
  observedUptime: Schema.u32,
  trackedSubnets: Schema.array(Schema.id),
  supportedACPs: Schema.array(Schema.integer),
  objectedACPs: Schema.array(Schema.integer),
  benched: Schema.array(Schema.string),
})

/** The TypeScript type of {@link Peer}. */
export type Peer = Schema.Infer<typeof Peer>

/** The activation times of the network upgrades. `graniteEpochDuration` is in nanoseconds. */
export const Upgrades = Schema.struct({
  apricotPhase1Time: Schema.time,
  apricotPhase2Time: Schema.time,
  apricotPhase3Time: Schema.time,
  apricotPhase4Time: Schema.time,
  apricotPhase4MinPChainHeight: Schema.integer,
  apricotPhase5Time: Schema.time,
  apricotPhasePre6Time: Schema.time,
  apricotPhase6Time: Schema.time,
  apricotPhasePost6Time: Schema.time,
  banffTime: Schema.time,
  cortinaTime: Schema.time,
  cortinaXChainStopVertexID: Schema.id,
  durangoTime: Schema.time,
  etnaTime: Schema.time,
  fortunaTime: Schema.time,
  graniteTime: Schema.time,
  graniteEpochDuration: Schema.integer,
  heliconTime: Schema.time,
})

/**
 * The votes of connected validators on a proposal (ACP): their stake in nAVAX, and their NodeIDs sorted by
 * bytes.
 */
export const AcpOpinion = Schema.struct({
  supportWeight: Schema.u64,
  supporters: Schema.array(Schema.nodeId),
  objectWeight: Schema.u64,
  objectors: Schema.array(Schema.nodeId),
  abstainWeight: Schema.u64,
})

/** Methods of the Info API of a node, which is served at `/ext/info`. */
export const InfoMethods = {
  /** Returns the votes of connected validators by proposal number. */
  'info.acps': { params: none, result: Schema.struct({ acps: Schema.map(Schema.u32, AcpOpinion) }) },
  'info.getBlockchainID': {
    params: Schema.struct({ alias: Schema.string }),
    result: Schema.struct({ blockchainID: Schema.id }),
  },
  'info.getNetworkID': { params: none, result: Schema.struct({ networkID: Schema.u32 }) },
  'info.getNetworkName': { params: none, result: Schema.struct({ networkName: Schema.string }) },
  'info.getNodeID': { params: none, result: Schema.struct({ nodeID: Schema.nodeId, nodePOP: Signer }) },
  'info.getNodeIP': { params: none, result: Schema.struct({ ip: Schema.string }) },
  'info.getNodeVersion': {
    params: none,
    result: Schema.struct({
      version: Schema.string,
      databaseVersion: Schema.string,
      rpcProtocolVersion: Schema.u32,
      gitCommit: Schema.string,
      vmVersions: Schema.map(Schema.string, Schema.string),
    }),
  },
  'info.getTxFee': { params: none, result: TxFees },
  /**
   * Returns the names of each VM by its id, without the id itself. Also returns the name of each feature
   * extension.
   */
  'info.getVMs': {
    params: none,
    result: Schema.struct({
      vms: Schema.map(Schema.id, Schema.array(Schema.string)),
      fxs: Schema.map(Schema.id, Schema.string),
    }),
  },
  'info.isBootstrapped': {
    params: Schema.struct({ chain: Schema.string }),
    result: Schema.struct({ isBootstrapped: Schema.boolean }),
  },
  'info.peers': {
    params: Schema.struct({ nodeIDs: Schema.optional(Schema.array(Schema.nodeId)) }),
    result: Schema.struct({ numPeers: Schema.u64, peers: Schema.array(Peer) }),
  },
  'info.upgrades': { params: none, result: Upgrades },
  'info.uptime': {
    params: none,
    result: Schema.struct({
      rewardingStakePercentage: Schema.fixed4,
      weightedAveragePercentage: Schema.fixed4,
    }),
  },
} satisfies MethodTable
