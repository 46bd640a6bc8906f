/** The words that a progress file may use. In a file of their own, so that importing them loads nothing else. */
export const PHASES = ["research", "design", "review", "implementation", "testing"] as const;
export const STATUSES = ["in_progress", "blocked", "awaiting_review", "complete"] as const;
export const MILESTONES = ["task-claimed", "plan-drafted", "review-requested", "review-approved"] as const;
