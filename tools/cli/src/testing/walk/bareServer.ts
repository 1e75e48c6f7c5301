import { createServer, type Server } from 'node:http'

/** Size of the headers that the bare server accepts, in bytes: as much as the most generous server. */
const HEADER_BYTES = 2 ** 21

/**
 * Creates the server whose cost all others are compared with. It reads a body; if the path is `/parse`, it also parses
 * the body with `JSON.parse`. For tests only.
 */
export function createBareServer(): Server {
  return createServer({ maxHeaderSize: HEADER_BYTES }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const isParsed = request.url?.startsWith('/parse') === true && tries(() => JSON.parse(text))
      response.end(`{"bytes":${text.length},"isParsed":${isParsed}}`)
    })
  })
}

function tries(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
