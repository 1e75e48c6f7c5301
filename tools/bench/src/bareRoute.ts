// Serves a fastify route that only returns 4.6 kB, and reports its processor time. It shows the minimum cost
// of HTTP on this machine.
import fastify from 'fastify'

const BODY = 'x'.repeat(4_600)

const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/', (_request, reply) => reply.header('content-type', 'application/json').send(BODY))
app.get('/ext/metrics', () => {
  const { user, system } = process.cpuUsage()
  return `process_cpu_seconds_total ${(user + system) / 1e6}`
})
void app.listen({ host: '127.0.0.1', port: 0 }).then((url) => console.log(`listens on ${url}`))
