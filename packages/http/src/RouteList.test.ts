import fastify from 'fastify'
import { expect, it } from 'vitest'
import * as RouteList from './RouteList.ts'

it('lists every route of a server and its plugins, with parameters in braces', async () => {
  const server = fastify()
  const routes = RouteList.collect(server)
  server.get('/things/:thingId([^/:]*)::reindex', { schema: {} }, async () => '')
  await server.register(
    async (scope) => void scope.route({ method: ['PUT', 'POST'], url: '/:a/:b', handler: async () => '' }),
    { prefix: '/more' },
  )
  await server.ready()
  expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'GET /things/{thingId}:reindex',
    'HEAD /things/{thingId}:reindex',
    'POST /more/{a}/{b}',
    'PUT /more/{a}/{b}',
  ])
  await server.close()
})
