// The pages without parameters, by their addresses: the api serves them, and the pages' router knows them.

/** `/agents` is the api's. */
export const plainPages = {
  '/requests': 'requests',
  '/history': 'history',
  '/grants': 'grants',
  '/tasks': 'tasks',
  '/overview': 'overview',
  '/operate/operations': 'operations',
  '/operate/agents': 'agents',
  '/operate/policies': 'policies',
  '/settings': 'settings',
} as const;
