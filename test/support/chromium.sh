#!/bin/sh
# Starts $CHROMIUM without the two pages that it loads for the address bar of each window. They take as long as the pages of
# a test. Chromium obeys only the last --disable-features, so the features are added to the list of Playwright.

for argument; do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
