import { type Binding, child, children, functionIn, type ModuleFunction, type Modules } from './Modules.ts'
import type { Node } from './Source.ts'

type Body = { readonly throws: boolean; readonly calls: readonly ModuleFunction[] }

const nameOf = (node: Node | undefined): string => String(node?.['name'] ?? '')

const keyOf = ({ path, name }: ModuleFunction): string => `${path}#${name}`

/**
 * Returns the functions declared inside a function, with their names. Their bodies run only when they are
 * called.
 */
const innerFunctions = (node: Node): readonly (readonly [string, Node])[] => {
  const declared = functionIn(node)
  if (node.type === 'FunctionDeclaration' && declared) return [[nameOf(child(node, 'id')), declared]]
  if (node.type !== 'VariableDeclaration') return []
  return children(node, 'declarations').flatMap((declarator) => {
    const found = functionIn(child(declarator, 'init'))
    return found ? [[nameOf(child(declarator, 'id')), found] as const] : []
  })
}

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(
      (item): item is Node => typeof item === 'object' && item !== null && 'type' in item,
    ),
  )

const bodyOf = (modules: Modules, { path, node }: ModuleFunction): Body => {
  const inner = new Map<string, Node>()
  const walked = new Set<Node>()
  const calls: ModuleFunction[] = []
  let throws = false

  const bindingOf = (callee: Node): Binding | undefined => {
    if (callee.type === 'Identifier') return modules.local(path, nameOf(callee))
    const object = child(callee, 'object')
    if (callee.type !== 'MemberExpression' || object?.type !== 'Identifier') return undefined
    const owner = modules.local(path, nameOf(object))
    const member = nameOf(child(callee, 'property'))
    if (owner?.kind === 'namespace') return modules.exported(owner.path, member)
    // A module constant with a `decode` method is a codec, whose `decode` throws for malformed bytes.
    if (owner?.kind === 'value' && member === 'decode') throws = true
    return undefined
  }
  const call = (node: Node) => {
    const callee = child(node, 'callee')
    if (callee === undefined) return
    const local = callee.type === 'Identifier' ? inner.get(nameOf(callee)) : undefined
    if (local) walk(child(local, 'body'))
    else {
      const binding = bindingOf(callee)
      if (binding?.kind === 'function') calls.push(binding.function)
      if (functionIn(callee)) walk(child(functionIn(callee), 'body'))
    }
    for (const argument of children(node, 'arguments')) walk(child(functionIn(argument), 'body'))
  }
  const walk = (node: Node | undefined): void => {
    if (node === undefined || walked.has(node)) return
    walked.add(node)
    if (node.type === 'ThrowStatement') throws = true
    // Errors thrown in a `try` block are caught, but the catch block may throw.
    if (node.type === 'TryStatement' && child(node, 'handler')) {
      walk(child(node, 'handler'))
      walk(child(node, 'finalizer'))
      return
    }
    for (const [name, declared] of innerFunctions(node)) inner.set(name, declared)
    if (node.type === 'CallExpression') call(node)
    for (const next of childrenOf(node)) if (functionIn(next) === undefined) walk(next)
  }
  // Inner functions may be called before their declaration, so the declarations are collected first.
  for (const statement of children(child(node, 'body'), 'body'))
    for (const [name, declared] of innerFunctions(statement)) inner.set(name, declared)
  walk(child(node, 'body'))
  for (const parameter of children(node, 'params')) walk(parameter)
  return { throws, calls }
}

/**
 * Creates a function that returns whether a given function can throw. A function can throw if it contains a
 * `throw`, or a call of a function of the workspace that can throw, outside of `try`. Method calls on values
 * are ignored, except `decode` of a module constant.
 */
export const create = (modules: Modules): ((subject: ModuleFunction) => boolean) => {
  const bodies = new Map<string, Body>()
  const bodyAt = (subject: ModuleFunction): Body => {
    const known = bodies.get(keyOf(subject)) ?? bodyOf(modules, subject)
    bodies.set(keyOf(subject), known)
    return known
  }
  return (subject) => {
    const seen = new Set<string>()
    const visit = (next: ModuleFunction): boolean => {
      if (seen.has(keyOf(next))) return false
      seen.add(keyOf(next))
      const { throws, calls } = bodyAt(next)
      return throws || calls.some(visit)
    }
    return visit(subject)
  }
}
