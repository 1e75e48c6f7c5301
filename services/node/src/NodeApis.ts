import { availableParallelism } from 'node:os'
import { CHAIN_ALIASES } from '@firn/codec'
import { Admin, Apis, type Chains, Info, Peers, Profiler, type Vms } from '@firn/node-api'
import { Operators } from '@firn/operate'
import { Endpoint } from '@firn/p2p'
import { AdminMethods, InfoMethods } from '@firn/rpc'
import { Blockchains, Stakers } from '@firn/store'
import * as NodeConfig from './admin/NodeConfig.ts'
import type { NodeLoggers } from './admin/PinoLoggers.ts'
import type { NodeOptions } from './NodeOptions.ts'
import * as Parts from './Parts.ts'

/** The Admin API needs a profiler, which the caller must close. */
export function addNodeApis(
  mounting: Apis.Mounting,
  options: NodeOptions,
  names: Record<'chainAliasesFile' | 'vmAliasesFile', Chains.FurtherNames>,
  vms: Vms,
  operators: Operators.Operators,
): Profiler | undefined {
  const { context } = mounting
  const { configuration, identity, peers = Peers.NONE } = options
  const { publicIp, stakingPort } = configuration
  const ip =
    options.ip ?? (() => (publicIp === '' ? '' : Endpoint.format({ host: publicIp, port: stakingPort })))
  if (configuration.apiInfoEnabled) {
    const primaryNetwork = async () =>
      Stakers.primaryValidators(context.store, (await context.snapshot()).P.height)
    const info = Info.handlers(context, { identity, ip, peers, vms, primaryNetwork })
    context.routes.add('info', '', Apis.endpoint(mounting, 'info', InfoMethods, info, Info.FRESHNESS))
  }
  if (!configuration.apiAdminEnabled) return undefined
  const profiler = new Profiler({ folder: configuration.profileDir, now: context.now })
  const config = () =>
    NodeConfig.toJSON({
      configuration,
      database: Parts.database(configuration),
      chainAliases: Parts.toJSON(names.chainAliasesFile),
      vmAliases: Parts.toJSON(names.vmAliasesFile),
      parallelism: availableParallelism(),
      constants: context.constants,
      avaxAssetId: context.genesis.avaxAssetId,
      nodeId: identity.nodeId,
      ip: ip(),
    })
  const workingFolder = options.workingFolder ?? configuration.dataDir
  const admin = Admin.handlers(context, { profiler, vms, config, workingFolder })
  const target = Apis.endpoint(mounting, 'admin', AdminMethods, admin, Admin.FRESHNESS)
  const operated = Apis.operatorsOnly(target, (request) => Operators.isOperator(request, operators))
  context.routes.add('admin', '', configuration.apiAdminAllowRemote ? target : operated)
  return profiler
}

/** Returns a function that adds a route and a logger for each new chain of the tracked subnets. */
export function trackChains(
  mounting: Apis.Mounting,
  loggers: NodeLoggers,
  subnets: readonly Uint8Array[],
): () => Promise<void> {
  const { store, chains } = mounting.context
  for (const alias of CHAIN_ALIASES) loggers.get(alias)
  return async () => {
    for (const subnetId of subnets) {
      for (const chainId of await Blockchains.currentIds(store, subnetId)) {
        Apis.addForeignChain(mounting, chainId)
        loggers.get(chains.primaryAlias(chainId))
      }
    }
  }
}
