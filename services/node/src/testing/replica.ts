import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeId } from '@firn/codec'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { createLoggers } from '../admin/PinoLoggers.ts'
import type { Configuration } from '../Configuration.ts'
import { createConfiguration } from '../Configuration.ts'
import { createNode, type Node } from '../Node.ts'
import type { NodeOptions } from '../NodeOptions.ts'

/** A node API on a recorded network, already listening. */
export interface Replica {
  readonly url: string
  readonly node: Node
  /** Data folder of the node API. */
  readonly folder: string
  /** Log lines that were written to the display. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

/** Options of {@link startReplica}. */
export interface ReplicaOptions extends Partial<Omit<NodeOptions, 'configuration'>> {
  readonly configuration?: Partial<Configuration>
  readonly store?: Store
}

const IDENTITY = {
  nodeId: NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'),
  publicKey: new Uint8Array(48),
  proofOfPossession: new Uint8Array(96),
}

/** Starts a node API on the recorded local network and a free port. */
export async function startReplica(options: ReplicaOptions = {}): Promise<Replica> {
  const folder = await mkdtemp(join(tmpdir(), 'firn-replica-'))
  const lines: string[] = []
  const display = { write: (line: string) => void lines.push(line) }
  const loggers = createLoggers({ folder: join(folder, 'logs'), display, now: Date.now })
  const store = options.store ?? (await recordedStore('local'))
  const configuration = createConfiguration({ dataDir: folder, httpPort: 0, ...options.configuration })
  const node = await createNode({ identity: IDENTITY, loggers, ...options, store, configuration })
  const url = await node.listen()
  const close = async () => {
    await node.close()
    loggers.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, node, folder, lines, close }
}
