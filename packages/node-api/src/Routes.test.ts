import { describe, expect, test } from 'vitest'
import { createRoutes } from './Routes.ts'

const endpoint = () => ({ handle: () => undefined })

describe('routes', () => {
  test('finds an endpoint only by its exact path', () => {
    const routes = createRoutes()
    const rpc = endpoint()
    routes.add('bc/C', '/rpc', rpc)
    expect(routes.find('/ext/bc/C/rpc')).toEqual({ base: 'bc/C', endpoint: rpc })
    for (const path of ['/ext/bc/C', '/ext/bc/C/rpc/', '/ext/bc/c/rpc', '/bc/C/rpc', '/ext/bc/C/RPC'])
      expect(routes.find(path)).toBeUndefined()
  })

  test('rejects a path that is already in use', () => {
    const routes = createRoutes()
    routes.add('info', '', endpoint())
    expect(() => routes.add('info', '', endpoint())).toThrow(
      'failed to create endpoint as /ext/info already exists',
    )
    routes.alias('info', 'i')
    expect(() => routes.add('i', '/more', endpoint())).toThrow(
      'route is either already aliased or already maps to a handle: /ext/i',
    )
  })
})

describe('aliases', () => {
  test('serves all endpoints of the aliased path, including endpoints added later', () => {
    const routes = createRoutes()
    const [first, second] = [endpoint(), endpoint()]
    routes.add('bc/X', '', first)
    routes.alias('bc/X', 'mine')
    routes.add('bc/X', '/wallet', second)
    expect(routes.find('/ext/mine')?.endpoint).toBe(first)
    expect(routes.find('/ext/mine/wallet')?.endpoint).toBe(second)
  })

  test('accepts an alias for a base that does not exist yet', () => {
    const routes = createRoutes()
    routes.alias('later', 'alias')
    expect(routes.find('/ext/alias')).toBeUndefined()
    routes.add('later', '/x', endpoint())
    expect(routes.find('/ext/alias/x')).toBeDefined()
  })

  test('serves the endpoints of both bases through an alias of an alias', () => {
    const routes = createRoutes()
    routes.alias('bc/P', 'P')
    routes.alias('P', 'p')
    routes.add('bc/P', '', endpoint())
    expect(routes.paths()).toEqual(['/ext/bc/P', '/ext/P', '/ext/p'])
    routes.alias('p', 'q')
    expect(routes.find('/ext/q')).toBeDefined()
  })

  test('accepts an empty alias once and rejects it the second time', () => {
    const routes = createRoutes()
    routes.add('info', '', endpoint())
    routes.alias('info', '')
    expect(routes.find('/ext/')).toBeDefined()
    expect(() => routes.alias('other', '')).toThrow(
      'route is either already aliased or already maps to a handle: /ext/',
    )
  })

  test('reserves an alias but reports an error if its path is already in use', () => {
    const routes = createRoutes()
    const own = endpoint()
    routes.add('info', '', endpoint())
    routes.add('admin', '', own)
    expect(() => routes.alias('info', 'admin')).toThrow(
      'failed to create endpoint as /ext/admin already exists',
    )
    expect(() => routes.alias('info', 'admin')).toThrow('route is either already aliased')
    expect(routes.find('/ext/admin')?.endpoint).toBe(own)
  })

  test('terminates on circular aliases', () => {
    const routes = createRoutes()
    routes.alias('a', 'b')
    routes.alias('b', 'a')
    expect(() => routes.add('a', '', endpoint())).toThrow('already aliased')
    routes.add('c', '', endpoint())
    expect(() => routes.alias('c', 'c')).toThrow('already exists')
  })

  test('increases the version when an alias is added', () => {
    const routes = createRoutes()
    routes.add('info', '', endpoint())
    const before = routes.version
    routes.alias('info', 'i')
    expect(routes.version).toBeGreaterThan(before)
  })
})
