import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChainAlias, NodeId } from '@firn/codec'
import { createConfiguration, createLoggers, createNode } from '@firn/node'
import { Peers } from '@firn/node-api'
import type { Snapshot, Store } from '@firn/store'
import type { NodeApi, NodeApiOptions } from './NodeApi.ts'
import type { Observations } from './Observations.ts'
import type { RecordedNode } from './Plan.ts'

/** Returns the store with its snapshot fixed, so that later data is invisible. */
function at(store: Store, snapshot: Snapshot): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'snapshot') return async () => snapshot
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * Returns the index state of a recorded node: every height is indexed, except the height of a missed
 * container.
 */
function keeper({ missed }: RecordedNode) {
  const whole = [{ first: 1n }]
  return {
    spans: (chain: ChainAlias) => {
      if (missed === undefined || missed.chain !== chain) return whole
      return [{ first: 1n, last: missed.height - 1n }, { first: missed.height + 1n }]
    },
  }
}

/** Returns the recorded peers and the recorded node's measurements of validators. */
function peersOf({ peers, validators }: Observations): Peers.Peers {
  const measured = (nodeId: Uint8Array) => validators.get(NodeId.format(nodeId))
  const fixed = Peers.fixed({ peers, uptime: (nodeId) => measured(nodeId)?.uptime })
  return { ...fixed, isConnected: (nodeId) => measured(nodeId)?.isConnected ?? fixed.isConnected(nodeId) }
}

/** Starts this project's node API on the store of an archive, at the given heights and time. */
export async function startNodeApi(options: NodeApiOptions): Promise<NodeApi> {
  const { archive, node, observations, heights, now, folder, pluginFolder, upstream } = options
  const snapshot = await archive.snapshotAt(heights)
  await mkdir(join(folder, 'logs'), { recursive: true })
  const loggers = createLoggers({
    folder: join(folder, 'logs'),
    display: { write: () => undefined },
    now: () => now,
  })
  const configuration = createConfiguration({
    dataDir: folder,
    pluginDir: pluginFolder,
    httpPort: 0,
    upstream: [upstream],
    indexEnabled: node.hasIndex,
    apiAdminEnabled: node.hasAdmin,
    // A node serves its Admin API to every caller.
    apiAdminAllowRemote: node.hasAdmin,
    trackSubnets: node.tracks,
  })
  const service = await createNode({
    configuration,
    store: at(archive.store, snapshot),
    identity: observations.identity,
    loggers,
    peers: peersOf(observations),
    ip: () => observations.ip,
    keeper: keeper(node),
    now: () => now,
  })
  const url = await service.listen()
  // A node reports its health checks as pending until the first round. The recorded nodes had completed that
  // round.
  await service.health.refresh()
  return {
    port: Number(new URL(url).port),
    close: async () => {
      await service.close()
      loggers.close()
    },
  }
}
