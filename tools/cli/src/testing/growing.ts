import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A fake node in its own process, whose chain grows on demand. For tests only. */
export interface Growing {
  readonly url: string
  /** Sets the total number of blocks that the node has. */
  readonly grow: (blocks: number) => void
  readonly close: () => Promise<void>
}

const PROGRAMS = {
  primary: new URL('growingNode.ts', import.meta.url),
  evm: new URL('../../../../services/indexer/src/testing/growingEvmNode.ts', import.meta.url),
} as const

/**
 * Starts a fake node with the given number of blocks. It serves the recorded local network, or an EVM chain
 * with the id 31337. For tests only.
 */
export const startGrowing = async (
  kind: keyof typeof PROGRAMS,
  blocks: number,
  port = 0,
): Promise<Growing> => {
  const { url, write, close } = await startNode(PROGRAMS[kind], [String(port), String(blocks)])
  return { url, grow: (to) => write(String(to)), close }
}

/** A fake node in its own process. For tests only. */
export interface NodeProcess {
  readonly url: string
  /** Writes a line to its standard input. */
  readonly write: (line: string) => void
  readonly close: () => Promise<void>
}

/** Starts a program that prints the URL of a node, and ends with its standard input. For tests only. */
export const startNode = async (program: URL, args: readonly string[]): Promise<NodeProcess> => {
  const path = fileURLToPath(program)
  const child = spawn(process.execPath, ['--conditions=source', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}`)))
  })
  return {
    url,
    write: (line) => void child.stdin.write(`${line}\n`),
    close: () => ended(child, () => child.stdin.end()),
  }
}

/** Calls `end` and waits until the process exits. For tests only. */
export const ended = (child: ChildProcess, end: () => unknown): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    end()
  })

/** Returns a port of the loopback address on which nothing listens. For tests only. */
export const unusedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  const { port } = server.address() as { readonly port: number }
  await new Promise((closed) => server.close(closed))
  return port
}
