import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenStreams } from './admission/OpenStreams.ts'
import * as EntityTag from './EntityTag.ts'
import type { Download, File } from './endpoint/Download.ts'
import type { RestOptions } from './RestPlugin.ts'
import { FOREVER, PATIENCE_MS, patiently, read, routeOf, whenGone } from './requests.ts'

type Options = Pick<RestOptions, 'access' | 'prefix' | 'downloads' | 'log'>

/** Adds the routes of downloads. A caller that accepts no data is disconnected. */
export function addDownloads(server: FastifyInstance, options: Options, places: OpenStreams): void {
  for (const download of options.downloads ?? []) addDownload(server, download, options, places)
}

function addDownload(
  server: FastifyInstance,
  download: Download,
  options: Options,
  places: OpenStreams,
): void {
  const { access } = options
  server.route({
    ...routeOf(download, options, 'GET'),
    // The size is known, and compression would change it.
    compress: false,
    handler: async (request, reply) => {
      const { path, query } = await read(download, request)
      const listener = whenGone(reply)
      if (download.places !== undefined) {
        const caller = await access.caller(request)
        reply.raw.once('close', places.open(download.path, caller, listener, download.places))
      }
      const file = await download.open({ path, query, signal: listener.signal })
      const { units = 0 } = file
      if (units > 0) {
        reply.header('x-compute-units', String(download.units + units))
        reply.headers(await access.charge(request, units))
      }
      // A file that has lost its place ends at once.
      listener.signal.addEventListener('abort', () => reply.raw.destroy(), { once: true })
      return send(file, request, reply, options)
    },
  })
}

function send(file: File, request: FastifyRequest, reply: FastifyReply, { log }: Options): FastifyReply {
  const headers = {
    'content-type': file.contentType,
    'content-length': String(file.size),
    'content-disposition': `attachment; filename="${file.name}"`,
    'x-content-type-options': 'nosniff',
    ...(file.tag === undefined
      ? { 'cache-control': 'private, no-store' }
      : { 'cache-control': FOREVER, etag: file.tag }),
    ...file.headers,
  }
  if (file.tag !== undefined && EntityTag.isNamedBy(request.headers['if-none-match'], file.tag)) {
    const { 'content-length': _, ...others } = headers
    return reply.code(304).headers(others).send()
  }
  // The parts of a file that is not sent must not be read.
  if (request.method === 'HEAD') return reply.headers(headers).send(Readable.from([]))
  const onSlow = () => {
    log?.warn({ requestId: request.id }, 'download ended, because its reader was too slow')
    reply.raw.destroy()
  }
  const parts = patiently(file.parts, PATIENCE_MS, onSlow)
  return reply.headers(headers).send(Readable.from(parts, { objectMode: false, highWaterMark: 1 }))
}
