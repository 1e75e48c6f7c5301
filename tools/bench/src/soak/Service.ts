import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as Garbage from './Garbage.ts'
import * as Kinds from './Kinds.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
/** Arguments with which Node.js runs the `firn` command. */
export const PROGRAM = [
  '--conditions=source',
  `--import=${resolve(ROOT, 'tools/start/src/bundled.mjs')}`,
  resolve(ROOT, 'tools/cli/src/main.ts'),
]
const PATIENCE_MS = 180_000
const LOOK_MS = 250
const KEPT_CHARACTERS = 4_000

/** A process of a service, which keeps its address when it is started again. */
export interface Service {
  readonly kind: Kinds.Kind
  /** Kind and number, such as `node 2`. */
  readonly name: string
  readonly url: string
  /** URL of the RPC gateway; undefined for kinds without one. */
  readonly gatewayUrl: string | undefined
  /** The end of the output. */
  readonly output: () => string
  readonly pid: () => number | undefined
  /** Starts the process and waits until it is healthy. @throws RangeError with its output if it does not become healthy */
  start(): Promise<void>
  pause(): void
  resume(): void
  /** Makes the process collect its garbage. Does nothing while it does not run. @throws Error if it does not respond */
  collect(signal: AbortSignal): Promise<void>
  /** Ends the process. @throws RangeError if it ends on SIGTERM with an exit code other than 0 and 130 */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Creates a service of a kind. `onExit` is called if its process ends unexpectedly. */
export async function create(
  kind: Kinds.Kind,
  number: number,
  world: Kinds.World,
  onExit: (reason: string) => void,
): Promise<Service> {
  const { flags, health } = Kinds.KINDS[kind]
  const [port, gatewayPort] = [await unusedPort(), await unusedPort()]
  const args = flags(world, { port, gatewayPort, dataDir: resolve(world.folder, `${kind}-${number}`) })
  const name = `${kind} ${number}`
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''
  let inspector: string | undefined
  return {
    kind,
    name,
    url,
    gatewayUrl: kind === 'evm' ? `http://127.0.0.1:${gatewayPort}/rpc/${world.evmChainId}` : undefined,
    output: () => output,
    pid: () => child?.pid,
    start: async () => {
      const started = spawn(process.execPath, [Garbage.FLAG, ...PROGRAM, kind, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-KEPT_CHARACTERS)
          inspector = Garbage.findInspector(output) ?? inspector
        })
      started.once('exit', (code, signal) => {
        if (child === started) onExit(`${name} ended with ${code ?? signal}:\n${output}`)
      })
      await untilHealthy(
        url + health,
        name,
        () => output,
        () => child !== started || started.exitCode !== null,
      )
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    collect: async (signal) => {
      if (child !== undefined && inspector !== undefined) await Garbage.collect(inspector, signal)
    },
    end: async (signal) => {
      const ending = child
      child = undefined
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
      const exited = once(ending, 'exit')
      ending.kill(signal)
      const [code] = (await exited) as [number | null]
      if (signal === 'SIGTERM' && code !== 0 && code !== 130)
        throw new RangeError(`${name} stopped with ${code}:\n${output}`)
    },
  }
}

async function untilHealthy(
  url: string,
  name: string,
  output: () => string,
  hasEnded: () => boolean,
): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until && !hasEnded(); await sleep(LOOK_MS)) {
    const signal = AbortSignal.timeout(5_000)
    const answer = await fetch(url, { signal }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.status === 200) return
  }
  throw new RangeError(`${name} did not become healthy within ${PATIENCE_MS / 1_000} s:\n${output()}`)
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
