import type { Target } from './Target.ts'
import { abiTargets } from './targets/abi.ts'
import { aggregatorTargets } from './targets/aggregator.ts'
import { archiveTargets } from './targets/archives.ts'
import { codecTargets } from './targets/codec.ts'
import { evmTargets } from './targets/evm.ts'
import { gatewayTargets } from './targets/gateway.ts'
import { genesisTargets } from './targets/genesis.ts'
import { keyTargets } from './targets/keys.ts'
import { ledgerTargets } from './targets/ledger.ts'
import { livePeerTargets } from './targets/livePeers.ts'
import { nodeApiTargets } from './targets/nodeApi.ts'
import { p2pTargets } from './targets/p2p.ts'
import { rpcTargets } from './targets/rpc.ts'
import { tokenTargets } from './targets/tokens.ts'
import { txTargets } from './targets/txs.ts'
import { warpTargets } from './targets/warp.ts'

/** All decoders and peers that read bytes from untrusted sources. */
export const targets: readonly Target[] = [
  ...livePeerTargets,
  ...codecTargets,
  ...keyTargets,
  ...warpTargets,
  ...txTargets,
  ...genesisTargets,
  ...ledgerTargets,
  ...evmTargets,
  ...rpcTargets,
  ...nodeApiTargets,
  ...gatewayTargets,
  ...aggregatorTargets,
  ...p2pTargets,
  ...archiveTargets,
  ...tokenTargets,
  ...abiTargets,
]
