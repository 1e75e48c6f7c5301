import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Ready } from './Door.ts'
import { type Received, type Sent, send } from './Wire.ts'

/** The process of the servers, and the processor time that it uses. For tests only. */
export interface Meter extends Ready {
  /** Sends a request, and returns the processor time that the servers' process used until the answer's end, in µs. */
  measure(url: string, sent: Sent): Promise<Received & { readonly cpu: number }>
  close(): Promise<void>
}

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url))

/** Time after which a request without an answer has failed, in milliseconds. Answers usually take a millisecond. */
const PATIENCE_MS = 60_000

/** Starts all servers in a new process. For tests only. */
export async function openMeter(patienceMs = PATIENCE_MS): Promise<Meter> {
  const child = fork(SERVE, {
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const next = async <T>(): Promise<T> => {
    const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
    if (answer === undefined) throw new Error('the process of the servers has ended')
    return answer[0] as T
  }
  const used = (): Promise<number> => {
    const answer = next<number>()
    child.send('used')
    return answer
  }
  const ready = await next<Ready>()
  return {
    ...ready,
    async measure(url, sent) {
      const before = await used()
      const received = await send(url, sent, patienceMs)
      return { ...received, cpu: (await used()) - before }
    },
    async close() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
