const ADDRESS = /^Debugger listening on (ws:\/\/\S+)\n/m
const PATIENCE_MS = 30_000

/** Flag with which Node.js prints the address of its inspector. */
export const FLAG = '--inspect=127.0.0.1:0'

/** Returns the address of the inspector in the output of a process that was started with `FLAG`. */
export const findInspector = (output: string): string | undefined => ADDRESS.exec(output)?.[1]

/**
 * Makes a process collect all its garbage and return the unused pages to the system. V8 keeps the pages of a heap that
 * shrank until a collection reduces the memory, which does not happen by itself while a process is never idle.
 *
 * @param inspector - address that `findInspector` returned
 * @throws Error if the process does not respond
 */
export async function collect(inspector: string, signal: AbortSignal): Promise<void> {
  const socket = new WebSocket(inspector)
  const until = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  try {
    await event(socket, 'open', until)
    socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
    await event(socket, 'message', until)
  } finally {
    socket.close()
  }
}

const event = (socket: WebSocket, type: 'open' | 'message', signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    socket.addEventListener(type, resolve, { once: true, signal })
    socket.addEventListener('error', reject, { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
