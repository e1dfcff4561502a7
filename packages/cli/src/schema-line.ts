/** Where the schema of a spec lies in a project that has AgentGate installed. */
export const schemaPath = 'node_modules/agentgate/schema/agentgate.schema.json';

/** The first line of a spec file, by which an editor finds the schema. */
export const schemaLine = `# yaml-language-server: $schema=${schemaPath}`;
