import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'
import { Signer } from './Signer.ts'

const none = Layout.struct({})

/** The fees that `info.getTxFee` returns, in nAVAX. */
export const TxFees = Layout.struct({
  txFee: Layout.u64,
  createAssetTxFee: Layout.u64,
  createSubnetTxFee: Layout.u64,
  transformSubnetTxFee: Layout.u64,
  createBlockchainTxFee: Layout.u64,
  addPrimaryNetworkValidatorFee: Layout.u64,
  addPrimaryNetworkDelegatorFee: Layout.u64,
  addSubnetValidatorFee: Layout.u64,
  addSubnetDelegatorFee: Layout.u64,
})

/**
 * A peer of the node. `publicIP` is the address that the peer announced for incoming connections. `ip` is the
 * remote address of the socket.
 */
export const Peer = Layout.struct({
  ip: Layout.string,
  publicIP: Layout.string,
  nodeID: Layout.nodeId,
  version: Layout.string,
  upgradeTime: Layout.integer,
  lastSent: Layout.time,
  lastReceived: Layout.time,
  observedUptime: Layout.u32,
  trackedSubnets: Layout.array(Layout.id),
  supportedACPs: Layout.array(Layout.integer),
  objectedACPs: Layout.array(Layout.integer),
  benched: Layout.array(Layout.string),
})

/** The activation times of the network upgrades. `graniteEpochDuration` is in nanoseconds. */
export const Upgrades = Layout.struct({
  apricotPhase1Time: Layout.time,
  apricotPhase2Time: Layout.time,
  apricotPhase3Time: Layout.time,
  apricotPhase4Time: Layout.time,
  apricotPhase4MinPChainHeight: Layout.integer,
  apricotPhase5Time: Layout.time,
  apricotPhasePre6Time: Layout.time,
  apricotPhase6Time: Layout.time,
  apricotPhasePost6Time: Layout.time,
  banffTime: Layout.time,
  cortinaTime: Layout.time,
  cortinaXChainStopVertexID: Layout.id,
  durangoTime: Layout.time,
  etnaTime: Layout.time,
  fortunaTime: Layout.time,
  /** Nodes do not return the upgrades that were added after their release. */
  graniteTime: Layout.optional(Layout.time),
  graniteEpochDuration: Layout.optional(Layout.integer),
  heliconTime: Layout.optional(Layout.time),
})

/**
 * The votes of connected validators on a proposal (ACP): their stake in nAVAX, and their NodeIDs sorted by
 * bytes.
 */
export const AcpOpinion = Layout.struct({
  supportWeight: Layout.u64,
  supporters: Layout.array(Layout.nodeId),
  objectWeight: Layout.u64,
  objectors: Layout.array(Layout.nodeId),
  abstainWeight: Layout.u64,
})

/** Methods of the Info API of a node, which is served at `/ext/info`. */
export const InfoMethods = {
  /** Returns the votes of connected validators by proposal number. */
  'info.acps': { params: none, result: Layout.struct({ acps: Layout.map(Layout.u32, AcpOpinion) }) },
  'info.getBlockchainID': {
    params: Layout.struct({ alias: Layout.string }),
    result: Layout.struct({ blockchainID: Layout.id }),
  },
  'info.getNetworkID': { params: none, result: Layout.struct({ networkID: Layout.u32 }) },
  'info.getNetworkName': { params: none, result: Layout.struct({ networkName: Layout.string }) },
  'info.getNodeID': { params: none, result: Layout.struct({ nodeID: Layout.nodeId, nodePOP: Signer }) },
  'info.getNodeIP': { params: none, result: Layout.struct({ ip: Layout.string }) },
  'info.getNodeVersion': {
    params: none,
    result: Layout.struct({
      version: Layout.string,
      databaseVersion: Layout.string,
      rpcProtocolVersion: Layout.u32,
      gitCommit: Layout.string,
      vmVersions: Layout.map(Layout.string, Layout.string),
    }),
  },
  'info.getTxFee': { params: none, result: TxFees },
  /**
   * Returns the names of each VM by its id, without the id itself. Also returns the name of each feature
   * extension.
   */
  'info.getVMs': {
    params: none,
    result: Layout.struct({
      vms: Layout.map(Layout.id, Layout.array(Layout.string)),
      fxs: Layout.map(Layout.id, Layout.string),
    }),
  },
  'info.isBootstrapped': {
    params: Layout.struct({ chain: Layout.string }),
    result: Layout.struct({ isBootstrapped: Layout.boolean }),
  },
  'info.peers': {
    params: Layout.struct({ nodeIDs: Layout.optional(Layout.array(Layout.nodeId)) }),
    result: Layout.struct({ numPeers: Layout.u64, peers: Layout.array(Peer) }),
  },
  'info.upgrades': { params: none, result: Upgrades },
  'info.uptime': {
    params: none,
    result: Layout.struct({
      rewardingStakePercentage: Layout.fixed4,
      weightedAveragePercentage: Layout.fixed4,
    }),
  },
} satisfies MethodLayouts
