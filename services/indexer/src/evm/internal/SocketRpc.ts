import type { IndexerError } from '../../IndexerError.ts'
import type { Answers, JsonRpc, Subscriber, Target } from '../JsonRpc.ts'
import { format, isMembers, malformed, read } from './envelopes.ts'
import { timedOut, tooLarge, unavailable } from './HttpRpc.ts'

interface Pending {
  readonly firstId: number
  readonly count: number
  settle(answers: Answers): void
  fail(error: unknown): void
}

interface Connection {
  readonly socket: WebSocket
  readonly pending: Set<Pending>
  readonly subscribers: Map<string, Subscriber>
  /** Events that came before the answer that names their subscription. */
  readonly early: Map<string, unknown[]>
  end(error: IndexerError): void
}

/** Events of subscriptions not named yet that are kept. */
const MOST_EARLY = 64

/**
 * Asks a node over one WebSocket, opened when it is needed and again after it broke. A request without an answer in time ends the
 * connection: a socket that is silent would be silent to all.
 */
export function createSocketRpc(target: Target): JsonRpc {
  const { name, timeoutMs } = target
  let lastId = 0
  let opening: Promise<Connection> | undefined
  const connection = (): Promise<Connection> => {
    const forget = () => {
      if (opening === current) opening = undefined
    }
    const current: Promise<Connection> = opening ?? connect(target, forget)
    if (opening === undefined) current.catch(forget)
    opening = current
    return current
  }
  const ask: JsonRpc['ask'] = async (calls, signal) => {
    const current = await within(connection(), signal)
    const firstId = lastId + 1
    lastId += calls.length
    return new Promise<Answers>((settle, fail) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        current.pending.delete(pending)
      }
      const pending: Pending = {
        firstId,
        count: calls.length,
        settle(answers) {
          done()
          settle(answers)
        },
        fail(error) {
          done()
          fail(error)
        },
      }
      const abort = () => pending.fail(signal?.reason)
      const timer = setTimeout(() => current.end(timedOut(name, timeoutMs)), timeoutMs)
      signal?.addEventListener('abort', abort, { once: true })
      current.pending.add(pending)
      current.socket.send(format(calls, firstId))
    })
  }
  return {
    name,
    ask,
    async subscribe(params, subscriber, signal) {
      const current = await within(connection(), signal)
      const { answers } = await ask([{ method: 'eth_subscribe', params }], signal)
      const [answer] = answers
      if (answer?.error !== undefined) throw answer.error
      if (typeof answer?.result !== 'string')
        throw malformed(name, 'a subscription’s id', typeof answer?.result)
      // It broke between the two: the subscription is gone with it.
      if (current.socket.readyState !== WebSocket.OPEN) throw unavailable(name, 'a closed connection')
      current.subscribers.set(answer.result, subscriber)
      for (const payload of current.early.get(answer.result) ?? []) subscriber.event(payload)
      current.early.clear()
    },
    close() {
      opening?.then(
        (current) => current.end(unavailable(name, 'the end')),
        () => undefined,
      )
      opening = undefined
    },
  }
}

function connect(target: Target, forget: () => void): Promise<Connection> {
  const { name, url, headers, timeoutMs } = target
  return new Promise((settle, fail) => {
    // The runtime's second argument takes headers too, which the standard's doesn't.
    const socket = new WebSocket(url, { headers } as unknown as string[])
    const timer = setTimeout(() => current.end(timedOut(name, timeoutMs)), timeoutMs)
    let isEnded = false
    const current: Connection = {
      socket,
      pending: new Set(),
      subscribers: new Map(),
      early: new Map(),
      end(error) {
        if (isEnded) return
        isEnded = true
        clearTimeout(timer)
        forget()
        socket.close()
        fail(error)
        for (const pending of [...current.pending]) pending.fail(error)
        for (const subscriber of current.subscribers.values()) subscriber.end()
      },
    }
    socket.addEventListener('open', () => {
      clearTimeout(timer)
      settle(current)
    })
    socket.addEventListener('message', ({ data }) => receive(current, String(data), target))
    socket.addEventListener('error', () => current.end(unavailable(name, 'a broken connection')))
    socket.addEventListener('close', ({ code }) =>
      current.end(unavailable(name, `the end of the connection (${code})`)),
    )
  })
}

function receive(current: Connection, text: string, { name, maxResponseBytes }: Target): void {
  const body = text.length > maxResponseBytes ? undefined : parse(text)
  if (text.length > maxResponseBytes) current.end(tooLarge(name, maxResponseBytes))
  else if (body === undefined) current.end(malformed(name, 'JSON', `${text.length} characters that are none`))
  else if (isMembers(body) && body['method'] === 'eth_subscription') notify(current, body['params'])
  else answer(current, body, text.length, name)
}

function answer({ pending: all }: Connection, body: unknown, bytes: number, name: string): void {
  const pending = waiting(all, body)
  if (pending === undefined) return
  try {
    pending.settle({ answers: read(body, pending.firstId, pending.count, name), bytes })
  } catch (error) {
    pending.fail(error)
  }
}

function notify({ subscribers, early }: Connection, params: unknown): void {
  if (!isMembers(params) || typeof params['subscription'] !== 'string') return
  const id = params['subscription']
  const subscriber = subscribers.get(id)
  if (subscriber !== undefined) subscriber.event(params['result'])
  else if (early.size < MOST_EARLY)
    early.set(id, [...(early.get(id) ?? []), params['result']].slice(-MOST_EARLY))
}

/** Who waits for what came: by the first id in it that is known; what has none is for whoever waits longest. */
function waiting(all: ReadonlySet<Pending>, body: unknown): Pending | undefined {
  const ids = (Array.isArray(body) ? body : [body]).map((one) => (isMembers(one) ? one['id'] : undefined))
  if (ids.every((id) => id === null || id === undefined)) return all.values().next().value
  for (const one of all) {
    if (ids.some((id) => Number(id) >= one.firstId && Number(id) < one.firstId + one.count)) return one
  }
  return undefined
}

/** What came too late for its request, which was aborted, is nobody's. */
async function within<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  let abort: (() => void) | undefined
  const aborted = new Promise<never>((_settle, fail) => {
    abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
