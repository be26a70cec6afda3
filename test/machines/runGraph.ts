export * from '../../machines/graph/runGraph.ts';
