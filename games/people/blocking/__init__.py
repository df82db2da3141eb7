"""The block list, and who may be challenged: functions, form and pages."""
